# frozen_string_literal: true

require_relative 'service'
require_relative 'library'

module PuppetX
  # Where the functions of this module have values from.
  module Strata
    # @param options Of the entry of the hierarchy: with `url` a service, with `project` the library.
    # @return an object with `find(key)`, a list with the value or none, and with `all`, all values by their keys.
    def self.source(options, context, scope)
      return Service.new(options, context) if options.key?('url')
      return Library.node(options, context, scope) if options.key?('project')

      raise ArgumentError, "strata::lookup_key: the options of the hierarchy entry need 'url' and 'site' (a service), or 'project' (the library)"
    end
  end
end
