# SPDX-License-Identifier: Apache-2.0
# Programs of the Puppet language as Puppet reads them: for each of them, separated by NUL bytes on standard input, a line `ok` with the tree or
# `error` with the message. The trees are printed as tests/puppet/tree_printer.hpp does.
require 'json'
require 'puppet'
require 'puppet/pops'

M = Puppet::Pops::Model

def text(value)
  JSON.generate(value, script_safe: false)
end

def block(node)
  statements = case node
               when nil, M::Nop then []
               when M::BlockExpression then node.statements
               else [node]
               end
  '(do' + statements.map { |s| ' ' + tree(s) }.join + ')'
end

def otherwise(node)
  node = node.statements[0] if node.is_a?(M::BlockExpression) && node.statements.size == 1
  return '()' if node.nil? || node.is_a?(M::Nop) || (node.is_a?(M::BlockExpression) && node.statements.empty?)
  return tree(node) if node.is_a?(M::IfExpression) && !node.is_a?(M::UnlessExpression)
  block(node)
end

def all(nodes)
  nodes.map { |n| ' ' + tree(n) }.join
end

def optional(node)
  node.nil? || node.is_a?(M::Nop) ? '()' : tree(node)
end

def lambda_of(node)
  return '' if node.nil?
  parameters = node.parameters.map do |p|
    "(#{p.captures_rest ? '*' : ''}$#{p.name} #{optional(p.type_expr)} #{optional(p.value)})"
  end
  " (lambda (#{parameters.join(' ')}) #{optional(node.return_type)} #{block(node.body)})"
end

def segments(node)
  parts = []
  node.segments.each do |s|
    if s.is_a?(M::LiteralString)
      parts.last.is_a?(String) ? parts[-1] += s.value : parts << s.value
    else
      parts << s
    end
  end
  parts.reject { |p| p == '' }.map { |p| ' ' + (p.is_a?(String) ? text(p) : tree(p.is_a?(M::TextExpression) ? p.expr : p)) }.join
end

def tree(node)
  case node
  when M::Program then block(node.body)
  when M::BlockExpression then block(node)
  when M::ParenthesizedExpression, M::TextExpression then tree(node.expr)
  when M::LiteralString then text(node.value)
  when M::LiteralInteger then node.value.to_s
  when M::LiteralFloat then format('%.17gf', node.value)
  when M::LiteralBoolean then node.value.to_s
  when M::LiteralUndef then 'undef'
  when M::LiteralDefault then 'default'
  when M::LiteralRegularExpression then '/' + text(node.pattern[1..-2].gsub('\\/', '/'))
  when M::QualifiedName then text(node.value)
  when M::QualifiedReference then node.cased_value.sub(/\A::/, '')
  when M::VariableExpression then '$' + (node.expr.is_a?(M::LiteralInteger) ? node.expr.value.to_s : node.expr.value)
  when M::ConcatenatedString then '(text' + segments(node) + ')'
  when M::HeredocExpression then tree(node.text_expr)
  when M::LiteralList then '(list' + all(node.values) + ')'
  when M::LiteralHash then '(hash' + node.entries.map { |e| " (=> #{tree(e.key)} #{tree(e.value)})" }.join + ')'
  when M::AccessExpression then '(at ' + tree(node.left_expr) + all(node.keys) + ')'
  when M::CallMethodExpression
    name = node.functor_expr
    "(method #{name.right_expr.value} #{tree(name.left_expr)}#{all(node.arguments)}#{lambda_of(node.lambda)})"
  when M::CallNamedFunctionExpression
    functor = node.functor_expr
    first = functor.is_a?(M::QualifiedName) ? functor.value.sub(/\A::/, '') : 'new ' + tree(functor)
    "(call #{first}#{all(node.arguments)}#{lambda_of(node.lambda)})"
  when M::NamedAccessExpression then "(method #{node.right_expr.value} #{tree(node.left_expr)})"
  when M::UnaryMinusExpression then '(- ' + tree(node.expr) + ')'
  when M::NotExpression then '(! ' + tree(node.expr) + ')'
  when M::UnfoldExpression then '(* ' + tree(node.expr) + ')'
  when M::ArithmeticExpression, M::ComparisonExpression, M::MatchExpression
    "(#{node.operator} #{tree(node.left_expr)} #{tree(node.right_expr)})"
  when M::InExpression then "(in #{tree(node.left_expr)} #{tree(node.right_expr)})"
  when M::AndExpression then "(and #{tree(node.left_expr)} #{tree(node.right_expr)})"
  when M::OrExpression then "(or #{tree(node.left_expr)} #{tree(node.right_expr)})"
  when M::AssignmentExpression then "(= #{tree(node.left_expr)} #{tree(node.right_expr)})"
  when M::UnlessExpression then "(unless #{tree(node.test)} #{block(node.then_expr)} #{otherwise(node.else_expr)})"
  when M::IfExpression then "(if #{tree(node.test)} #{block(node.then_expr)} #{otherwise(node.else_expr)})"
  when M::CaseExpression
    '(case ' + tree(node.test) + node.options.map { |o| " ((values#{all(o.values)}) #{block(o.then_expr)})" }.join + ')'
  when M::SelectorExpression
    '(? ' + tree(node.left_expr) + node.selectors.map { |s| " (=> #{tree(s.matching_expr)} #{tree(s.value_expr)})" }.join + ')'
  when M::Nop then '()'
  else "(#{node.class.name.split('::').last})"
  end
end

parser = Puppet::Pops::Parser::EvaluatingParser.new
$stdin.set_encoding('UTF-8')
# The checkers of heredocs are data of a loader.
Puppet.initialize_settings([]) rescue nil
environment = Puppet::Node::Environment.create(:x, [])
loaders = Puppet::Pops::Loaders.new(environment)
Puppet.override(current_environment: environment, loaders: loaders) do
  $stdin.read.split("\0", -1).each do |program|
    line = begin
      'ok ' + tree(parser.parse_string(program, 'program'))
    rescue Puppet::Error => e
      'error ' + e.message
    rescue StandardError => e
      'crash ' + e.class.name + ' ' + e.message
    end
    puts line.gsub("\n", ' ')
  end
end
