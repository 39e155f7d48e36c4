# SPDX-License-Identifier: Apache-2.0
# Warm lookups in Puppet's own process: the rates that lookup_bench's are held against.
#   ruby lookup_reference.rb FOLDER    prints "NAME RATE" a line
require 'puppet'

folder = File.expand_path(ARGV.fetch(0))
Puppet.initialize_settings(['--codedir', "#{folder}/code", '--confdir', "#{folder}/none", '--vardir', "#{folder}/none", '--hiera_config', "#{folder}/none/hiera.yaml"])
Puppet[:log_level] = 'err'
Puppet[:code] = 'undef'
facts = Puppet::Util::Yaml.safe_load_file("#{folder}/facts.yaml")

cases = {
  'first_found' => ['key_0005', nil],
  'unique' => ['list_0005', { 'strategy' => 'unique' }],
  'hash_of_500' => ['hash_0005', { 'strategy' => 'hash' }],
  'deep_of_500' => ['hash_0005', { 'strategy' => 'deep' }],
  'interpolated' => ['tpl_0005', nil],
}

environments = Puppet::Environments::Directories.new("#{folder}/code/environments", [])
Puppet.override(Puppet.base_context(Puppet.settings).merge(environments: environments)) do
  environment = environments.get!(:production)
  Puppet.override(current_environment: environment) do
    node = Puppet::Node.new('bench', environment: environment, facts: Puppet::Node::Facts.new('bench', facts))
    node.merge(facts)
    compiler = Puppet::Parser::Compiler.new(node)
    compiler.compile do |catalog|
      scope = compiler.topscope
      cases.each do |name, (key, merge)|
        look_up = lambda do
          invocation = Puppet::Pops::Lookup::Invocation.new(scope, {}, {}, nil)
          Puppet::Pops::Lookup.lookup(key, nil, nil, false, merge, invocation)
        end
        look_up.call
        count = 0
        start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        spent = 0.0
        while spent < 1.0
          look_up.call
          count += 1
          spent = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
        end
        puts format('%s %.1f', name, count / spent)
      end
      catalog
    end
  end
end
