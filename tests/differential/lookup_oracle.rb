# SPDX-License-Identifier: Apache-2.0
# What `puppet lookup` says, for many cases in one program.
#
# Reads one JSON object a line: {codedir, hiera_config, facts, folder, queries: [{keys, merge, prefix, sort, hashes, type, default}]}, and answers
# each with one line: a list with an object a query. Texts go out in base64. Each case is asked in a child of this process, which has Puppet loaded.
#   value    {yaml, json, s}, each the text that is printed or {failed: message}; or {error: kind, message: text}, kind "lookup" (silent) or "fatal"
#   explain  {"data": ..., "options": ..., "both": ...}, each {s, json, yaml} or {error: "fatal", message: text}. Where merging changed values in
#            place after they were told: also {told: {s, json, yaml}}, with the values as they were then.
require 'base64'
require 'json'
require 'puppet'
require 'puppet/application/lookup'
require 'puppet/network/format_handler'
require 'hocon'
require 'hiera/backend/eyaml'
require 'hiera/backend/eyaml/parser/parser'
require 'hiera/backend/eyaml/encryptors/pkcs7'
require 'deep_merge/core'
require 'stringio'
require 'tmpdir'
require 'timeout'

Lookup = Puppet::Pops::Lookup

# Explanations hold the values themselves, so that they show what merging makes of them later; this keeps what was told, where that is asked for.
module AsTold
  class << self
    attr_accessor :active
  end

  def self.copy(value)
    case value
    when Hash then value.to_h { |key, item| [copy(key), copy(item)] }
    when Array then value.map { |item| copy(item) }
    when String then value.dup
    else value
    end
  end

  %i[found found_in_overrides found_in_defaults].each do |name|
    define_method(name) { |key, value| super(key, AsTold.active ? AsTold.copy(value) : value) }
  end

  def result(value)
    super(AsTold.active ? AsTold.copy(value) : value)
  end
end
Lookup::ExplainTreeNode.prepend(AsTold)

def packed(text)
  Base64.strict_encode64(text.to_s.b)
end

def rendered(format, value)
  out = StringIO.new
  out.set_encoding(Encoding::BINARY)
  out.puts(Puppet::Network::FormatHandler.format(format).render(value))
  packed(out.string)
rescue StandardError => e
  { failed: packed(e.message) }
end

# Another compiler's adapter, so that nothing is known from before.
def forget(scope)
  Lookup::LookupAdapter.clear(scope.compiler)
  Lookup::EnvironmentContext.clear(scope.compiler.environment)
end

def merge_of(query)
  return nil if query['merge'].nil?
  out = { 'strategy' => query['merge'] }
  return out unless query['merge'] == 'deep'
  out['sort_merged_arrays'] = !!query['sort']
  out['merge_hash_arrays'] = !!query['hashes']
  out['knockout_prefix'] = query['prefix'] if query['prefix']
  out
end

def ask(scope, query, keys, explainer)
  forget(scope)
  invocation = Lookup::Invocation.new(scope, {}, {}, explainer)
  type = query['type'] && Puppet::Pops::Types::TypeParser.singleton.parse(query['type'], scope)
  default = query['default']
  begin
    { value: Lookup.lookup(keys, type, default, !default.nil?, merge_of(query), invocation) }
  rescue Puppet::DataBinding::LookupError => e
    invocation.report_text { e.message }
    { error: 'lookup', message: packed(e.message) }
  end
rescue SystemStackError => e
  { error: 'stack', message: packed(e.message) }
rescue StandardError, ScriptError => e
  { error: 'fatal', message: packed("#{e.class}: #{e.message}") }
end

def value_of(scope, query)
  answer = ask(scope, query, query['keys'], nil)
  return answer if answer[:error]
  { yaml: rendered(:yaml, answer[:value]), json: rendered(:json, answer[:value]), s: rendered(:s, answer[:value]) }
end

def explained(scope, query, kind)
  explainer = Lookup::Explainer.new(kind != 'data', kind == 'options')
  answer = ask(scope, query, query['keys'], explainer)
  return answer if %w[fatal stack].include?(answer[:error])
  out = StringIO.new
  out.puts(explainer.explain)
  { s: packed(out.string), json: rendered(:json, explainer.to_hash), yaml: rendered(:yaml, explainer.to_hash), failed: !answer[:error].nil?,
    message: answer[:message] }
end

def explanation_of(scope, query, kind)
  answer = explained(scope, query, kind)
  return answer if answer[:error]
  AsTold.active = true
  told = explained(scope, query, kind)
  AsTold.active = false
  answer[:told] = told if told[:s] != answer[:s] || told[:json] != answer[:json]
  answer
end

def answers(request)
  Dir.chdir(request['folder'])
  Puppet[:codedir] = request['codedir']
  Puppet[:environmentpath] = File.join(request['codedir'], 'environments')
  Puppet[:basemodulepath] = File.join(request['codedir'], 'modules')
  Puppet[:hiera_config] = request['hiera_config']
  Puppet[:environment] = 'production'
  Puppet.push_context(Puppet.base_context(Puppet.settings))
  environment = Puppet.lookup(:environments).get!('production')
  out = nil
  Puppet.override(current_environment: environment) do
    app = Puppet::Application::Lookup.new
    app.options[:node] = 'node.example.org'
    app.options[:fact_file] = request['facts']
    app.generate_scope do |scope|
      out = request['queries'].map do |query|
        { value: value_of(scope, query), explain: query['explain'].to_h { |kind| [kind, explanation_of(scope, query, kind)] } }
      end
    end
  end
  out
rescue StandardError, ScriptError, SystemStackError => e
  { error: 'fatal', message: packed("#{e.class}: #{e.message}") }
end

def in_child(request)
  reader, writer = IO.pipe
  child = fork do
    reader.close
    writer.write(JSON.generate(answers(request)))
    writer.close
    exit!(0)
  end
  writer.close
  text = Timeout.timeout(60) { reader.read }
  Process.wait(child)
  text.empty? ? JSON.generate({ error: 'crash', message: '' }) : text
rescue Timeout::Error
  Process.kill(:KILL, child)
  Process.wait(child)
  JSON.generate({ error: 'crash', message: packed('no end') })
ensure
  reader.close
end

Dir.mktmpdir('oracle') do |folder|
  code = File.join(folder, 'code')
  FileUtils.mkdir_p(File.join(code, 'environments', 'production', 'data'))
  Puppet.initialize_settings(['--vardir', File.join(folder, 'var'), '--confdir', File.join(folder, 'conf'), '--codedir', code])
  Puppet::Application::Lookup.new.initialize_app_defaults
  Puppet::Util::Log.close_all
  Puppet::Util::Log.newdestination('/dev/null') if Puppet::Util::Log.destinations.empty? rescue nil
  Puppet::Util::Log.level = :err
  # Once here, so that the children find all that Puppet loads when it is needed.
  File.write(File.join(folder, 'facts.json'), '{"a": "1"}')
  File.write(File.join(code, 'environments', 'production', 'hiera.yaml'), "version: 5\n")
  File.write(File.join(code, 'environments', 'production', 'data', 'common.yaml'), "a: \"%{a} %{lookup('b')}\"\nb: [1]\nlookup_options: {b: {merge: deep, convert_to: [Array, true]}}\n")
  warm = { 'codedir' => code, 'hiera_config' => '/nonexistent', 'facts' => File.join(folder, 'facts.json'), 'folder' => folder,
           'queries' => [{ 'keys' => ['a'], 'type' => 'String', 'explain' => ['data'] }] }
  answers(warm)
  Dir.chdir('/')
  $stdout.sync = true
  $stdin.each_line { |line| $stdout.write(in_child(JSON.parse(line)), "\n") }
end
