# frozen_string_literal: true

require 'erb'
require 'json'
require 'net/http'
require 'uri'

# A back end of Hiera 5: `lookup_key: strata::lookup_key` in hiera.yaml gives a hierarchy the values that a strata service has.
#
# What strata answers is final: it has applied the `lookup_options` of its site, so a hierarchy needs one such entry and no others.
Puppet::Functions.create_function(:'strata::lookup_key') do
  # @param key The name that is looked up.
  # @param options `url` of the service, `site`, `node`; perhaps `variables` for a node that the site does not know, `token` or `token_file`, `timeout`
  #   in seconds (10), `ca_file` for https.
  # @param context Of the lookup.
  dispatch :lookup_key do
    param 'Variant[String, Numeric]', :key
    param 'Hash[String, Any]', :options
    param 'Puppet::LookupContext', :context
  end

  def lookup_key(key, options, context)
    # They were applied. Asking for them would end in the merges of two systems.
    return context.not_found if key == 'lookup_options'
    return known(key, context) if context.cache_has_key(key)

    answer = ask(key.to_s, options, context)
    context.explain { "strata: HTTP #{answer.code} for #{key}" }
    context.cache(key, answer.is_a?(Net::HTTPNotFound) ? [] : [value_of(answer, key)])
    known(key, context)
  end

  def known(key, context)
    found = context.cached_value(key)
    found.empty? ? context.not_found : found.first
  end

  def value_of(answer, key)
    return JSON.parse("[#{answer.body}]").first if answer.is_a?(Net::HTTPOK)

    raise Puppet::DataBinding::LookupError, "strata: HTTP #{answer.code} for '#{key}': #{answer.body.to_s.lines.first.to_s.strip}"
  end

  def ask(key, options, context)
    request = Net::HTTP::Get.new(path_of(key, options))
    token = options['token'] || (options['token_file'] && File.read(options['token_file']).strip)
    request['Authorization'] = "Bearer #{token}" if token
    connection(options, context).request(request)
  rescue SystemCallError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, SocketError => e
    raise Puppet::DataBinding::LookupError, "strata: #{options['url']} does not answer: #{e.message}"
  end

  def path_of(key, options)
    place = %w[site node].map { |name| ERB::Util.url_encode(needed(name, options)) }
    variables = (options['variables'] || {}).reject { |_, value| value.nil? || value.to_s.empty? }
    query = variables.map { |name, value| "var.#{ERB::Util.url_encode(name)}=#{ERB::Util.url_encode(value.to_s)}" }.join('&')
    "#{URI(needed('url', options)).path.chomp('/')}/hiera/#{place.join('/')}/#{ERB::Util.url_encode(key)}#{query.empty? ? '' : "?#{query}"}"
  end

  def needed(name, options)
    options[name] || raise(ArgumentError, "strata::lookup_key: the options of the hierarchy entry lack '#{name}'")
  end

  # One that stays open while a catalog is compiled: in the cache of the lookup's context, beside what was answered.
  def connection(options, context)
    name = '__strata_connection'
    return context.cached_value(name) if context.cache_has_key(name)

    address = URI(needed('url', options))
    http = Net::HTTP.new(address.host, address.port, nil)
    http.use_ssl = address.scheme == 'https'
    http.ca_file = options['ca_file'] if options['ca_file']
    http.open_timeout = http.read_timeout = options['timeout'] || 10
    http.keep_alive_timeout = 60
    context.cache(name, http.start)
  end
end
