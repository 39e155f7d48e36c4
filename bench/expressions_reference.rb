# SPDX-License-Identifier: Apache-2.0
# Programs of the language in Puppet's own process, parsed once: the rates that expressions_bench's are held against.
#   ruby expressions_reference.rb FOLDER    prints "NAME RATE" a line
require 'tmpdir'
require 'puppet'

home = Dir.mktmpdir
at_exit { FileUtils.rm_rf(home) }
Puppet.initialize_settings(['--confdir', home, '--vardir', home, '--strict', 'off'])
Puppet::Util::Log.level = :crit
variables = {
  'facts' => { 'os' => { 'family' => 'Debian', 'release' => { 'major' => '12' } }, 'networking' => { 'domain' => 'example.com' } },
  'fqdn' => 'kermit.example.com'
}

environment = Puppet::Node::Environment.create(:bench, [])
Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
  parser = Puppet::Pops::Parser::EvaluatingParser.singleton
  compiler = Puppet::Parser::Compiler.new(Puppet::Node.new('bench', facts: Puppet::Node::Facts.new('bench', {}), environment: environment))
  Puppet.override(loaders: compiler.loaders, global_scope: compiler.topscope) do
    Dir.glob("#{ARGV.fetch(0)}/*.pp").sort.each do |path|
      program = parser.parse_string(File.read(path), path)
      evaluate = lambda do
        scope = Puppet::Parser::Scope.new(compiler)
        scope.source = compiler.topscope.source
        variables.each { |name, value| scope.setvar(name, value, privileged: true) }
        parser.evaluate(scope, program)
      end
      evaluate.call
      count = 0
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      spent = 0.0
      while spent < 1.0
        evaluate.call
        count += 1
        spent = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
      end
      puts "#{File.basename(path, '.pp')} #{count / spent}"
    end
  end
end
