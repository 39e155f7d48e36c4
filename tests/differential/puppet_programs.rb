# Evaluates programs of the Puppet language as Puppet does; the other side of puppet_programs.cpp.
# usage: ruby puppet_programs.rb < programs > answers     (a line each: a JSON text of a program; `{"ok": value}` or `{"error": [class, message]}`)
require 'json'
require 'puppet'
require 'puppet_pal'

Puppet.initialize_settings(['--strict', 'off', '--log_level', 'emerg'])
Puppet::Util::Log.level = :emerg
SENSITIVE = Puppet::Pops::Types::PSensitiveType::Sensitive

# Kinds stay apart, which JSON alone would join: ['int', '1'] and ['float', '1']. What goes on and on is cut.
def encode(value)
  case value
  when Integer then ['int', value.to_s]
  when Float then ['float', format('%.17g', value).sub('Inf', 'inf').sub('NaN', 'nan')]
  when String then ['text', value.dup.force_encoding('UTF-8').scrub]
  when true, false then ['bool', value.to_s]
  when Array then ['list', *value.map { |item| encode(item) }]
  when Hash then ['hash', *value.map { |k, v| [encode(k), encode(v)] }]
  when nil then ['undef']
  when :default then ['default']
  when Regexp then ['regexp', value.source]
  when SENSITIVE then ['sensitive', encode(value.unwrap)]
  when Puppet::Pops::Types::PAnyType then ['type', value.to_s]
  when Puppet::Pops::Types::Iterable then ['iterator', value.to_s.sub(/#<[^>]*>/, ''), *value.first(100).map { |item| encode(item) }]
  when Puppet::Pops::Types::PBinaryType::Binary then ['binary', value.to_s]
  else ['other', value.class.name]
  end
end

Puppet::Pal.in_tmp_environment('production', modulepath: [], facts: {}) do |pal|
  pal.with_script_compiler do |compiler|
    evaluator = compiler.send(:internal_evaluator)
    scope = compiler.send(:topscope)
    STDIN.each_line do |line|
      begin
        value = scope.with_local_scope({}) { |local| evaluator.evaluate(local || scope, compiler.parse_string(JSON.parse(line, quirks_mode: true))) }
        out = JSON.generate({ ok: encode(value) })
      rescue StandardError, SystemStackError => e
        out = JSON.generate({ error: [e.class.name, e.message.dup.force_encoding('UTF-8').scrub] })
      end
      puts out
      STDOUT.flush
    end
  end
end
