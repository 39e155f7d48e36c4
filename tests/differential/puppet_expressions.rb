# SPDX-License-Identifier: Apache-2.0
# Evaluates programs as Puppet does; the other side of puppet_expressions.cpp. usage: ruby puppet_expressions.rb < programs > answers
require 'json'
require 'tmpdir'
require 'puppet'

folder = Dir.mktmpdir
at_exit { FileUtils.rm_rf(folder) }
Puppet.initialize_settings(['--confdir', folder, '--vardir', folder, '--strict', 'off'])
Puppet::Util::Log.level = :crit

# Kinds stay apart, which JSON alone would join.
def encode(value)
  case value
  when Integer then ['int', value.to_s]
  when Float then ['float', format('%.17g', value).sub('Inf', 'inf').sub('NaN', 'nan')]
  when String then ['text', value]
  when true, false then ['bool', value.to_s]
  when Array then ['list', *value.map { |item| encode(item) }]
  when Hash then ['hash', *value.map { |k, v| [encode(k), encode(v)] }]
  when nil then ['undef']
  when Regexp then ['object', Puppet::Pops::Types::PRegexpType.regexp_to_s_with_delimiters(value)]
  else ['object', value.to_s]
  end
end

environment = Puppet::Node::Environment.create(:testing, [])
variables = JSON.parse(STDIN.gets)
Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
  parser = Puppet::Pops::Parser::EvaluatingParser.singleton
  node = Puppet::Node.new('x', facts: Puppet::Node::Facts.new('x', {}), environment: environment)
  compiler = Puppet::Parser::Compiler.new(node)
  Puppet.override(loaders: compiler.loaders, global_scope: compiler.topscope) do
    STDIN.each_line do |line|
      # A new scope each time costs less than a compiler.
      scope = Puppet::Parser::Scope.new(compiler)
      scope.source = compiler.topscope.source
      variables.each { |name, value| scope.setvar(name, value, privileged: true) }
      begin
        value = parser.evaluate_string(scope, JSON.parse(line), 'program')
        answer = { ok: [encode(value), parser.evaluator.string(value, scope)] }
      rescue SystemExit, Interrupt
        raise
      rescue Exception => e
        answer = { error: [e.class.name, e.message] }
      end
      begin
        puts JSON.generate(answer)
      rescue StandardError
        puts JSON.generate({ error: ['JSON', 'cannot be written'] })
      end
      STDOUT.flush
    end
  end
end
