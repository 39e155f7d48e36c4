# SPDX-License-Identifier: Apache-2.0
# What Puppet makes of nodes that an external node classifier describes: `node_terminus = exec`, in one process.
#
#   enc_terminus.rb COMMAND FOLDER < names of nodes, one a line
# Answers each with one line of JSON: {name, environment, classes, parameters} as the node has them before facts are added, or {name, error}.
# `ENVIRONMENTS` lists the environments that Puppet knows, separated by commas.
require 'json'
require 'puppet'
require 'puppet/indirector/node/exec'

Puppet.initialize_settings(["--confdir=#{ARGV[1]}/puppet", "--vardir=#{ARGV[1]}/var", '--node_terminus=exec', "--external_nodes=#{ARGV[0]}"])
Puppet::Node::Facts.indirection.terminus_class = :memory
Puppet::Util::Log.level = :err
known = ENV.fetch('ENVIRONMENTS', 'production').split(',').map { |name| Puppet::Node::Environment.create(name.to_sym, []) }
Puppet.override(environments: Puppet::Environments::Static.new(*known)) do
  $stdin.each_line do |line|
    name = line.chomp
    begin
      Puppet::Node.indirection.terminus_class = :exec
      node = Puppet::Node.indirection.find(name, ignore_cache: true)
      puts JSON.generate('name' => name, 'environment' => node.environment_name.to_s, 'classes' => node.classes,
                         'parameters' => node.parameters.reject { |key, _| key == 'environment' })
    rescue StandardError, Puppet::Error => e
      puts JSON.generate('name' => name, 'error' => e.message)
    end
    $stdout.flush
  end
end
