# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require File.expand_path('../../../puppet_x/strata/sources.rb', __dir__)

# A back end of Hiera 5: `data_hash: strata::data_hash` gives a hierarchy all values that strata has for the node at once, by the library.
Puppet::Functions.create_function(:'strata::data_hash') do
  # @param options As of `strata::lookup_key` with the library.
  # @param context Of the lookup.
  dispatch :data_hash do
    param 'Hash[String, Any]', :options
    param 'Puppet::LookupContext', :context
  end

  def data_hash(options, context)
    PuppetX::Strata.source(options, context, closure_scope).all.transform_values { |value| final(value) }
  end

  # Puppet replaces expressions in what a data_hash gives, but strata has done so.
  def final(value)
    case value
    when String then value.gsub('%{') { "%{literal('%')}{" }
    when Array then value.map { |item| final(item) }
    when Hash then value.to_h { |key, item| [final(key), final(item)] }
    else value
    end
  end
end
