# Values of a node out of a project of strata. Manual: docs/integrations/terraform.md.
terraform {
  required_providers {
    external = { source = "hashicorp/external" }
  }
}

variable "node" {
  type    = string
  default = "db01"
}

data "external" "node" {
  program = ["strata", "external"]
  query = {
    folder  = "${path.module}/../.."
    project = "hiera"
    subject = var.node
  }
}

locals {
  # A text is itself; everything else is JSON.
  motd  = data.external.node.result["profile::base::motd"]
  users = jsondecode(data.external.node.result["accounts::users"])
}

output "users" {
  value = keys(local.users)
}
