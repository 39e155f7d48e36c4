# SPDX-License-Identifier: Apache-2.0
# Reads YAML and JSON as the data functions of Hiera do, for psych_reader.py. Standard input: a line a text, `yaml HEX` or `json HEX`; standard
# output: a line a text, `ok` with a typed dump of the value as read_yaml.cpp writes it, or `error` with the message.
require 'puppet'
require 'json'

$stderr.reopen(File::NULL)

# Thrown for what the dump has no form for.
class NoForm < StandardError; end

def dump(value)
  case value
  when nil then 'null'
  when true, false, NilClass then value.to_s
  when Integer then "i#{value}"
  when Float then value.nan? ? 'nan' : 'f' + [value].pack('G').unpack1('H*')
  when Symbol then 'y' + value.to_s.b.unpack1('H*')
  when String
    (value.dup.force_encoding('UTF-8').valid_encoding? ? 't' : 'b') + value.b.unpack1('H*')
  when Hash then '{' + value.map { |key, item| dump(key) + ':' + dump(item) }.join(',') + '}'
  when Array then '[' + value.map { |item| dump(item) }.join(',') + ']'
  else raise NoForm, value.class.to_s
  end
end

def read(mode, text)
  return JSON.parse(text) if mode == 'json'

  # Behind a byte order mark libyaml takes the second line for another document (docs/hiera/fidelity.md).
  text = text.delete_prefix("\uFEFF")
  Puppet::Pops::Lookup::HieraConfig.symkeys_to_string(Puppet::Util::Yaml.safe_load(text, [Symbol], 'f'))
end

$stdin.each_line do |line|
  mode, hex = line.split(' ')
  text = [hex || ''].pack('H*').force_encoding('UTF-8')
  answer = begin
    'ok ' + dump(read(mode, text))
  rescue StandardError, SystemStackError => e
    "error #{e.class}: #{e.message}".b.tr("\n", ' ')[0, 300]
  end
  $stdout.write(answer + "\n")
  $stdout.flush
end
