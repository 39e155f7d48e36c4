# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require_relative 'service'
require_relative 'library'

module PuppetX
  # Where the functions of this module have values from.
  module Strata
    # @param options Of the entry of the hierarchy: with `url` a service, with `project` the library.
    # @return an object with `find(key)`, a list with the value or none, and with `all`, all values by their keys.
    def self.source(options, context, scope)
      return Service.new(known(options, Service::KNOWN), context) if options.key?('url')
      return Library.node(known(options, Library::KNOWN), context, scope) if options.key?('project')

      raise ArgumentError, "strata::lookup_key: the options of the hierarchy entry need 'url' and 'site' (a service), or 'project' (the library)"
    end

    # @return the options, if all of them are known. Puppet adds `path`.
    def self.known(options, names)
      unknown = options.keys - names - ['path']
      return options if unknown.empty?

      raise ArgumentError, "strata::lookup_key: unknown options #{unknown.join(', ')}; known are #{names.join(', ')}"
    end
  end
end
