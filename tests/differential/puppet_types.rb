# SPDX-License-Identifier: Apache-2.0
# Answers questions about types as Puppet does; the other side of puppet_types.cpp. usage: ruby puppet_types.rb < questions > answers
require 'json'
require 'puppet'

Puppet.initialize_settings(['--strict', 'off', '--log_level', 'emerg'])
PARSER = Puppet::Pops::Types::TypeParser.singleton
CALC = Puppet::Pops::Types::TypeCalculator.singleton
DESCRIBER = Puppet::Pops::Types::TypeMismatchDescriber.singleton
SENSITIVE = Puppet::Pops::Types::PSensitiveType::Sensitive

def decode(value)
  case value
  when Array then value.map { |item| decode(item) }
  when Hash
    key, inner = value.first
    case key
    when '__type' then PARSER.parse(inner)
    when '__sensitive' then SENSITIVE.new(decode(inner))
    else inner.each_with_object({}) { |(k, v), out| out[decode(k)] = decode(v) }
    end
  else value
  end
end

def encode(value)
  case value
  when Integer then ['int', value.to_s]
  when Float then ['float', format('%.17g', value).sub('Inf', 'inf').sub('NaN', 'nan')]
  when String then ['text', value]
  when true, false then ['bool', value.to_s]
  when Array then ['list', *value.map { |item| encode(item) }]
  when Hash then ['hash', *value.map { |k, v| [encode(k), encode(v)] }]
  when SENSITIVE then ['sensitive', encode(value.unwrap)]
  when nil then ['undef']
  when Puppet::Pops::Types::PAnyType then ['type', value.to_s]
  else ['other', value.class.name]
  end
end

def answer(compiler, op, type, values)
  values = values.map { |value| decode(value) }
  if op == 'infer'
    inferred = CALC.infer(values[0])
    return [inferred.to_s, inferred.generalize.to_s]
  end
  type = PARSER.parse(type)
  case op
  when 'print' then ['text', type.to_s]
  when 'instance' then CALC.instance?(type, values[0])
  when 'assign' then CALC.assignable?(type, values[0])
  when 'mismatch'
    CALC.instance?(type, values[0]) ? ['text', ''] : ['text', DESCRIBER.describe_mismatch('Found value has wrong type,', type, CALC.infer_set(values[0]))]
  else encode(compiler.call_function('new', type, *values))
  end
end

require 'puppet_pal'
Puppet::Pal.in_tmp_environment('production', modulepath: [], facts: {}) do |pal|
  pal.with_script_compiler do |compiler|
    STDIN.each_line do |line|
      op, type, *values = JSON.parse(line)
      begin
        out = JSON.generate({ ok: answer(compiler, op, type, values) })
      rescue StandardError => e
        out = JSON.generate({ error: [e.class.name, e.message.scrub] })
      end
      puts out
    end
  end
end
