# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require 'fiddle'
require 'json'

module PuppetX
  module Strata
    # The library libstrata.so.1 as a source of values, in the process of Puppet. Rules: include/strata/strata.h.
    module Library
      NOT_FOUND = 2

      # The functions of the library that are used here.
      #
      # A strata_text is a pointer and a size. On x86-64 and 64-bit ARM both travel as two arguments do, and of one that is returned the pointer comes where
      # a pointer comes. All texts from strata end in a zero.
      class Functions
        TEXT = [Fiddle::TYPE_VOIDP, Fiddle::TYPE_SIZE_T].freeze
        # Ruby exports functions of its own regular expressions (onig_new), which the library must not take for those of Oniguruma. The number is glibc's.
        RTLD_DEEPBIND = 8
        SIZE_OF_TEXT = 2 * Fiddle::SIZEOF_VOIDP
        POINTER = [Fiddle::TYPE_VOIDP].freeze
        SHAPES = {
          strata_abi_version: [[], Fiddle::TYPE_INT],
          strata_project_open: [TEXT + (POINTER * 3), Fiddle::TYPE_INT],
          strata_project_refresh: [POINTER * 2, Fiddle::TYPE_INT],
          strata_project_copy: [POINTER * 3, Fiddle::TYPE_INT],
          strata_project_free: [POINTER, Fiddle::TYPE_VOID],
          strata_project_get: [POINTER + TEXT + TEXT + (POINTER * 3), Fiddle::TYPE_INT],
          strata_result_value: [POINTER, Fiddle::TYPE_VOIDP],
          strata_result_json: [POINTER, Fiddle::TYPE_VOIDP],
          strata_result_warnings: [POINTER, Fiddle::TYPE_VOIDP],
          strata_result_explain: [POINTER + TEXT + (POINTER * 2), Fiddle::TYPE_INT],
          strata_result_free: [POINTER, Fiddle::TYPE_VOID],
          strata_value_kind: [POINTER, Fiddle::TYPE_INT],
          strata_value_boolean: [POINTER, Fiddle::TYPE_INT],
          strata_value_integer: [POINTER, Fiddle::TYPE_LONG_LONG],
          strata_value_double: [POINTER, Fiddle::TYPE_DOUBLE],
          strata_value_text: [POINTER, Fiddle::TYPE_VOIDP],
          strata_value_size: [POINTER, Fiddle::TYPE_SIZE_T],
          strata_value_count: [POINTER, Fiddle::TYPE_SIZE_T],
          strata_value_item: [POINTER + [Fiddle::TYPE_SIZE_T], Fiddle::TYPE_VOIDP],
          strata_value_key: [POINTER + [Fiddle::TYPE_SIZE_T], Fiddle::TYPE_VOIDP],
          strata_value_is_secret: [POINTER, Fiddle::TYPE_INT],
          strata_error_format: [POINTER, Fiddle::TYPE_VOIDP],
          strata_error_free: [POINTER, Fiddle::TYPE_VOID]
        }.freeze

        def initialize(file)
          unless RbConfig::CONFIG['host_cpu'].match?(/\A(x86_64|amd64|aarch64|arm64)\z/)
            raise Puppet::DataBinding::LookupError, "strata: the library cannot be used on #{RbConfig::CONFIG['host_cpu']}: ask a service, with 'url'"
          end
          @library = Fiddle::Handle.new(file, Fiddle::Handle::RTLD_NOW | RTLD_DEEPBIND)
          @functions = SHAPES.to_h { |name, (arguments, result)| [name, Fiddle::Function.new(@library[name.to_s], arguments, result)] }
        rescue Fiddle::DLError, LoadError => e # JRuby raises the second.
          raise Puppet::DataBinding::LookupError, "strata: the library #{file} cannot be loaded: #{e.message}"
        end

        def call(name, *arguments)
          result = @functions.fetch(name).call(*arguments)
          return result unless SHAPES.fetch(name).last == Fiddle::TYPE_VOIDP

          # JRuby has another class for pointers that are returned.
          Fiddle::Pointer.new(result.respond_to?(:address) ? result.address : result.to_i)
        end

        # Calls a function that has a status. After `arguments` it takes a place for a pointer or a text, if `gives`, and one for an error.
        # @return what it gives, or nil if there is nothing to be found.
        def ask(name, *arguments, gives: true)
          places = Array.new(gives ? 2 : 1) { Fiddle::Pointer.malloc(SIZE_OF_TEXT, Fiddle::RUBY_FREE) }
          places.each { |place| place[0, SIZE_OF_TEXT] = "\0" * SIZE_OF_TEXT }
          status = call(name, *arguments, *places)
          error = places.last.ptr
          message = error.null? ? "status #{status}" : text(call(:strata_error_format, error))
          call(:strata_error_free, error)
          return (gives ? places.first.ptr : true) if status.zero?
          return nil if status == NOT_FOUND

          raise Puppet::DataBinding::LookupError, "strata: #{message.strip}"
        end

        # A text of strata's own, in which there is no zero: a message, JSON.
        def text(pointer)
          pointer.null? ? '' : pointer.to_s.force_encoding(Encoding::UTF_8)
        end

        # The bytes of a value, among which there may be zeros.
        def bytes(value)
          pointer = call(:strata_value_text, value)
          pointer.null? ? String.new : pointer[0, call(:strata_value_size, value)]
        end
      end

      # A project in one state of its files.
      class Project
        def self.open(functions, options)
          text = JSON.generate(options)
          new(functions, functions.ask(:strata_project_open, text, text.bytesize, nil))
        end

        # @param handle Freed when nobody has this object any more.
        def initialize(functions, handle)
          @functions = functions
          @handle = handle
          ObjectSpace.define_finalizer(self, Project.ending(functions, handle.to_i, Process.pid))
        end

        # In a method of its own: what it returns must not hold the project. A child of the process has none of the library's threads.
        def self.ending(functions, handle, process)
          proc { functions.call(:strata_project_free, Fiddle::Pointer.new(handle)) if Process.pid == process }
        end

        # @return the project in the present state of the files. This one may go on to further states; that one stays.
        def newest
          @functions.ask(:strata_project_refresh, @handle, gives: false)
          Project.new(@functions, @functions.ask(:strata_project_copy, @handle))
        end

        # Calls a block with a result, which is gone afterwards.
        # @return what the block returns; nil if there is no value.
        def get(subject, query)
          query = JSON.generate(query)
          result = @functions.ask(:strata_project_get, @handle, subject, subject.bytesize, query, query.bytesize, nil)
          return nil if result.nil?

          begin
            yield(result)
          ensure
            @functions.call(:strata_result_free, result)
          end
        end
      end

      @lock = Mutex.new
      @functions = {}
      @projects = {}
      # Of the last environments and questions that were asked: what was read for them stays. Environments come and go.
      MOST_PROJECTS = 32

      KNOWN = %w[project folder variables subject sensitive library].freeze

      # The project of some options for a catalog: the files are looked at anew, and what the catalog has read stays as it is. Catalogs that are compiled at
      # the same time share what is parsed.
      def self.project(file, options)
        name = [file, options]
        functions, project = @lock.synchronize do
          @functions[file] ||= Functions.new(file)
          # The last one that was asked for is the last one.
          @projects[name] = @projects.delete(name) || Project.open(@functions[file], options)
          @projects.shift while @projects.size > MOST_PROJECTS
          [@functions[file], @projects[name]]
        end
        [functions, project.newest]
      end

      # @param options
      #   `project`   the question, `@NAME` of `.strata.yaml`
      #   `folder`    where that file is; without it, the folder of the environment
      #   `variables` more facts: those that an external node classifier gives as parameters, say
      #   `subject`   a subject of the project, for questions that are not about nodes; otherwise the node of the catalog is asked for, with its facts
      #   `sensitive` false: secrets are plain values; true, as without it: they are of the type Sensitive
      #   `library`   the library (libstrata.so.1)
      # @param context Of the lookup: it keeps the node while a catalog is compiled.
      def self.node(options, context, scope)
        name = '__strata_node'
        return context.cached_value(name) if context.cache_has_key(name)

        context.cache(name, Node.new(options, context, scope))
      end

      # A node, or another subject, of a project.
      class Node
        MAPPING = 9
        SEQUENCE = 8
        BINARY = 6

        def initialize(options, context, scope)
          @options = options
          @context = context
          @subject = options['subject'] || node_of(scope)
          question = { project: options['project'], folder: options['folder'] || folder_of(scope) }
          question[:more] = ['--environment', context.environment_name.to_s] unless options.key?('subject')
          @functions, @project = Library.project(options['library'] || 'libstrata.so.1', question)
        end

        # @return [[Object]] the value in a list, or none
        def find(key)
          return all.key?(key) ? [all[key]] : [] if @options.key?('subject')

          # Puppet has taken the name apart at its dots: what is left, dots and quotes, belongs to it.
          return [] if key.include?("'") && key.include?('"') # No quotes are left to write it with.

          quoted = key.match?(/[.'"]/) ? quoted_key(key) : key
          @context.explain { history(quoted) }
          found = @project.get(@subject, keys: [quoted], cleartext: true) { |result| [value_of(result)] }
          found || []
        end

        # @return [Hash] all values by their keys
        def all
          @all ||= @project.get(@subject, { cleartext: true }) do |result|
            failed = JSON.parse(@functions.text(@functions.call(:strata_result_warnings, result))).select { |told| told['severity'] == 'error' }
            raise Puppet::DataBinding::LookupError, "strata: #{failed.map { |told| told['message'] }.join("\n")}" unless failed.empty?

            value_of(result)
          end || {}
        end

        private

        def quoted_key(key)
          mark = key.include?("'") ? '"' : "'"
          "#{mark}#{key}#{mark}"
        end

        def node_of(scope)
          trusted = data(scope['trusted'] || {})
          facts = data(scope['facts'] || {}).merge(data(@options['variables'] || {}))
          # `puppet lookup --facts` has facts that need not name the node.
          name = trusted['certname'] || facts['clientcert'] || scope.compiler.node.name
          # strata wants all of them or none, and a machine without a domain has no such fact. In a path it is an empty text in both cases.
          who = { 'hostname' => '', 'domain' => '', 'fqdn' => '', 'clientcert' => name }
          facts = who.merge(facts.compact) if who.keys.any? { |one| facts.key?(one) }
          JSON.generate(name: name, facts: facts, trusted: trusted)
        end

        # What JSON can say of a value.
        def data(value)
          case value
          when Hash then value.to_h { |key, member| [data(key.to_s), data(member)] }
          when Array then value.map { |item| data(item) }
          when String then value.encode(Encoding::UTF_8, invalid: :replace, undef: :replace)
          when Float then value.finite? ? value : value.to_s
          when Integer, true, false, nil then value
          else value.to_s
          end
        end

        def folder_of(scope)
          folder = scope.environment.configuration&.path_to_env
          raise ArgumentError, "strata::lookup_key: the environment has no folder: give the option 'folder'" unless folder

          folder.to_s
        end

        # For `puppet lookup --explain`: the layers that have the key, the winner first.
        def history(quoted)
          text = @project.get(@subject, keys: [quoted], history: true) do |result|
            @functions.text(@functions.ask(:strata_result_explain, result, '', 0))
          end
          return "strata: no level has #{quoted}" unless text

          lines = JSON.parse(text).flat_map do |leaf|
            ["strata: #{leaf['path'].empty? ? quoted : leaf['path']}"] + leaf['history'].reverse.map do |one|
              "  #{one['fate']} #{one['file']}:#{one['line']} #{JSON.generate(one['value'])} (#{one['layer']})"
            end
          end
          lines.join("\n")
        end

        def value_of(result)
          text = @functions.text(@functions.call(:strata_result_json, result))
          value = @functions.call(:strata_result_value, result)
          # Infinite numbers have no form in JSON.
          text.empty? ? native(value) : exact(JSON.parse(text, max_nesting: false), value)
        end

        # JSON has texts as keys only, and knows neither secrets nor bytes.
        def exact(data, value)
          kind = @functions.call(:strata_value_kind, value)
          if data.is_a?(Hash) && kind == MAPPING
            # 1 and '1' are one key of JSON.
            return native(value) unless data.size == @functions.call(:strata_value_count, value)

            data = data.each_with_index.to_h do |(name, member), index|
              [key_of(name, @functions.call(:strata_value_key, value, index)), exact(member, @functions.call(:strata_value_item, value, index))]
            end
          elsif data.is_a?(Array) && kind == SEQUENCE
            data = data.each_with_index.map { |item, index| exact(item, @functions.call(:strata_value_item, value, index)) }
          elsif kind == BINARY
            data = binary(value)
          end
          marked(data, value)
        end

        # A value, read part by part.
        def native(value)
          made = case @functions.call(:strata_value_kind, value)
                 when MAPPING then parts(value) { |index| [native(@functions.call(:strata_value_key, value, index)), item(value, index)] }.to_h
                 when SEQUENCE then parts(value) { |index| item(value, index) }
                 when 2 then @functions.call(:strata_value_boolean, value) != 0
                 when 3 then @functions.call(:strata_value_integer, value)
                 when 4 then @functions.call(:strata_value_double, value)
                 when BINARY then binary(value)
                 when 7 then Integer(value_text(value))
                 when 0, 1 then nil
                 else value_text(value)
                 end
          marked(made, value)
        end

        def parts(value, &block)
          Array.new(@functions.call(:strata_value_count, value), &block)
        end

        def item(value, index)
          native(@functions.call(:strata_value_item, value, index))
        end

        def value_text(value)
          @functions.bytes(value).force_encoding(Encoding::UTF_8)
        end

        # As Ruby's reader of YAML gives it to Hiera.
        def binary(value)
          @functions.bytes(value).force_encoding(Encoding::BINARY)
        end

        def marked(data, value)
          return data unless @options['sensitive'] != false && @functions.call(:strata_value_is_secret, value) != 0

          Puppet::Pops::Types::PSensitiveType::Sensitive.new(data)
        end

        def key_of(name, key)
          case @functions.call(:strata_value_kind, key)
          when 1 then nil
          when 2 then @functions.call(:strata_value_boolean, key) != 0
          when 3 then @functions.call(:strata_value_integer, key)
          when 4 then @functions.call(:strata_value_double, key)
          when 7 then Integer(name)
          else name
          end
        end
      end
    end
  end
end
