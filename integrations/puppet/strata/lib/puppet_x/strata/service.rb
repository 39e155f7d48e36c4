# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'erb'
require 'json'
require 'net/http'
require 'openssl'
require 'socket'
require 'uri'

module PuppetX
  module Strata
    # A strata service as a source of values: over TCP, TLS or a Unix socket.
    class Service
      KNOWN = %w[url site node variables token token_file ca_file timeout].freeze
      # The codes of the service for a value that a node does not have. Other answers with this status are wrong requests: of a site, a node, a path that is not
      # there, or those of something else that listens at the address.
      MISSING = %w[hiera.key-not-found site.key].freeze

      # Over a socket of this host: `unix:/run/strata/strata.sock`.
      class UnixHTTP < Net::HTTP
        attr_writer :socket_path

        def connect
          @socket = Net::BufferedIO.new(UNIXSocket.new(@socket_path), read_timeout: @read_timeout, continue_timeout: @continue_timeout,
                                                                debug_output: @debug_output)
          on_connect
        end
      end

      # @param options `url` of the service, `site`, `node`; perhaps `variables` for a node that the site does not know, `token` or `token_file`, `timeout`
      #   in seconds (10), `ca_file` for https.
      # @param context Of the lookup: it keeps the connection open while a catalog is compiled.
      def initialize(options, context)
        @options = options
        @context = context
      end

      # @return [[Object]] the value in a list, or none
      def find(key)
        answer = ask(key)
        @context.explain { "strata: HTTP #{answer.code} for #{key}" }
        return [] if answer.is_a?(Net::HTTPNotFound) && MISSING.include?(answer['Strata-Error'])
        return [JSON.parse("[#{answer.body}]").first] if answer.is_a?(Net::HTTPOK)

        raise Puppet::DataBinding::LookupError, "strata: HTTP #{answer.code} for '#{key}': #{reason(answer)}"
      end

      private

      def ask(key)
        request = Net::HTTP::Get.new(path_of(key))
        token = @options['token'] || token_of_file
        request['Authorization'] = "Bearer #{token}" if token
        connection.request(request)
      rescue SystemCallError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, SocketError => e
        raise Puppet::DataBinding::LookupError, "strata: #{@options['url']} does not answer: #{e.message}"
      end

      # What went wrong, in a line. The faces of the service have texts and JSON.
      def reason(answer)
        body = answer.body.to_s.dup.force_encoding(Encoding::UTF_8).scrub
        data = JSON.parse(body)
        data.is_a?(Hash) && data['detail'].is_a?(String) ? data['detail'] : body.lines.first.to_s.strip
      rescue JSON::ParserError
        body.lines.first.to_s.strip
      end

      def token_of_file
        file = @options['token_file']
        file && File.read(file).strip
      rescue SystemCallError => e
        raise Puppet::DataBinding::LookupError, "strata: the token_file '#{file}' cannot be read: #{e.message}"
      end

      def path_of(key)
        place = %w[site node].map { |name| ERB::Util.url_encode(needed(name)) }
        variables = (@options['variables'] || {}).reject { |_, value| value.nil? || value.to_s.empty? }
        query = variables.map { |name, value| "var.#{ERB::Util.url_encode(name)}=#{ERB::Util.url_encode(value.to_s)}" }.join('&')
        base = socket_path ? '' : address.path.chomp('/')
        "#{base}/hiera/#{place.join('/')}/#{ERB::Util.url_encode(key)}#{query.empty? ? '' : "?#{query}"}"
      end

      def needed(name)
        @options[name] || raise(ArgumentError, "strata::lookup_key: the options of the hierarchy entry lack '#{name}'")
      end

      def socket_path
        needed('url').start_with?('unix:') ? needed('url').delete_prefix('unix:') : nil
      end

      # Of a service over TCP.
      def address
        found = URI(needed('url'))
        return found if found.is_a?(URI::HTTP) && !found.hostname.to_s.empty?

        raise ArgumentError, bad_address
      rescue URI::InvalidURIError
        raise ArgumentError, bad_address
      end

      def bad_address
        "strata::lookup_key: the url '#{@options['url']}' is not http://HOST:PORT, https://HOST:PORT or unix:/PATH"
      end

      # One that stays open, beside what was answered.
      def connection
        name = '__strata_connection'
        return @context.cached_value(name) if @context.cache_has_key(name)

        http = socket_path ? socket_connection : tcp_connection
        http.open_timeout = http.read_timeout = @options['timeout'] || 10
        http.keep_alive_timeout = 60
        @context.cache(name, http.start)
      end

      def socket_connection
        UnixHTTP.new('localhost', nil, nil).tap { |http| http.socket_path = socket_path }
      end

      def tcp_connection
        # Not `host`, which keeps the brackets of IPv6.
        http = Net::HTTP.new(address.hostname, address.port, nil)
        http.use_ssl = address.scheme == 'https'
        http.ca_file = @options['ca_file'] if @options['ca_file']
        http
      end
    end
  end
end
