# An environment without a manifest: default categories and layers.
bindings default {
  bind override 'motd::text' to 'A canary: things may break.'
  bind 'accounts::mail_domain' to 'canary.example.com'
  bind variables to { site_name => 'Canary', support_mail => 'canary@example.com' }
}
