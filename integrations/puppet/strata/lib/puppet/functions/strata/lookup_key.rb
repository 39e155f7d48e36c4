# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require File.expand_path('../../../puppet_x/strata/sources.rb', __dir__)

# A back end of Hiera 5: `lookup_key: strata::lookup_key` in hiera.yaml gives a hierarchy the values that strata has, by a service or by the library.
#
# What strata answers is final: it has applied the `lookup_options` of its site, so a hierarchy needs one such entry and no others.
Puppet::Functions.create_function(:'strata::lookup_key') do
  # @param key The name that is looked up.
  # @param options Of a service: see PuppetX::Strata::Service. Of the library: see PuppetX::Strata::Library.
  # @param context Of the lookup.
  dispatch :lookup_key do
    param 'Variant[String, Numeric]', :key
    param 'Hash[String, Any]', :options
    param 'Puppet::LookupContext', :context
  end

  def lookup_key(key, options, context)
    # They were applied. Asking for them would end in the merges of two systems.
    return context.not_found if key == 'lookup_options'

    unless context.cache_has_key(key)
      found = PuppetX::Strata.source(options, context, closure_scope).find(key.to_s)
      context.cache(key, found)
    end
    found = context.cached_value(key)
    found.empty? ? context.not_found : found.first
  end
end
