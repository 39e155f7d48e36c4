// node_modules/preact/dist/preact.mjs
var n;
var t;
var r;
var u;
var i;
var f;
var o;
var e;
var l;
var c;
var a;
var s;
var h = Symbol.for("pv");
var p = {};
var y = [];
var v = /^m(i|n|o|s|text|space)$/;
var w = Array.isArray;
var d = y.slice;
var _ = Object.assign;
function g(n3) {
  n3 && n3.parentNode && n3.remove();
}
function k(n3, t4, r4) {
  var u5, i4, f5, o5 = {}, e4 = arguments.length;
  for (f5 in t4) "key" == f5 ? u5 = t4[f5] : "ref" == f5 && "function" != typeof n3 ? i4 = t4[f5] : o5[f5] = t4[f5];
  return e4 > 2 && (o5.children = e4 > 3 ? d.call(arguments, 2) : r4), m(n3, o5, u5, i4, null);
}
function m(r4, u5, i4, f5, o5) {
  var e4 = { type: r4, props: u5, key: i4, ref: f5, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o5 || ++t, __i: -1, __u: 0 };
  return !o5 && n.vnode && n.vnode(e4), e4;
}
function $(n3) {
  return n3.children;
}
function x(n3, t4) {
  this.props = n3, this.context = t4, this.__g = 0;
}
function S(n3, t4) {
  if (null == t4) return n3.__ && S(n3.__, n3.__i + 1);
  for (var r4; t4 < n3.__k.length; t4++) if ((r4 = n3.__k[t4]) && r4.__e) return r4.__e;
  return "function" != typeof n3.type || n3.props.__P ? null : S(n3);
}
function C(t4) {
  var r4, u5 = t4.__v, i4 = u5.__e, f5 = [], o5 = [], e4 = t4.__P;
  e4 && ((r4 = _({ constructor: h }, u5)).__v = u5.__v + 1, n.vnode && n.vnode(r4), z(e4, r4, u5, t4.__n, e4.namespaceURI, 32 & u5.__u ? [i4] : null, f5, i4 || S(u5), 32 & u5.__u, o5), r4.__v = u5.__v, r4.__.__k[r4.__i] = r4, E(f5, r4, o5), u5.__ = u5.__e = null, r4.__e != i4 && j(r4));
}
function j(n3) {
  if ((n3 = n3.__) && n3.__c && !n3.props.__P) return n3.__e = null, n3.__k.some(function(t4) {
    return t4 && (n3.__e = t4.__e);
  }), j(n3);
}
function L(t4) {
  (8 & t4.__g || (t4.__g |= 8, u.push(t4), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n3, t4 = 1; u.length; ) u.length > t4 && u.sort(o), n3 = u.shift(), t4 = u.length, 8 & n3.__g && C(n3);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n3, t4, r4, u5, i4, f5, o5, e4, l4, c4, a5) {
  var s4, h5, v4, w5, d5, _4, g5 = u5.__k || y, k4 = t4.length;
  for (l4 = q(r4, t4, g5, l4, k4), s4 = 0; s4 < k4; s4++) null != (v4 = r4.__k[s4]) && (h5 = ~v4.__i && g5[v4.__i] || p, v4.__i = s4, _4 = z(n3, v4, h5, i4, f5, o5, e4, l4, c4, a5), w5 = v4.__e, (h5.ref != v4.ref || 8 & h5.__u) && (h5.ref && G(h5.ref, null, v4, h5), v4.ref && a5.push(v4.ref, v4.__c || w5, v4)), d5 = d5 || w5, 4 & v4.__u ? (l4 = A(v4, l4, n3, !h5.__v), h5.__e && (h5.__e = null)) : "function" == typeof v4.type && void 0 !== _4 ? l4 = _4 : w5 && (l4 = w5.nextSibling), v4.__u &= -21);
  return r4.__e = d5, l4;
}
function q(n3, t4, r4, u5, i4) {
  var f5, o5, e4, l4, c4, a5, s4, p5, y5, v4 = r4.length, d5 = v4, _4 = 0, g5 = 0, k4 = n3.__k = Array(i4);
  for (f5 = 0; f5 < i4; f5++) null != (o5 = t4[f5]) && "boolean" != typeof o5 && "function" != typeof o5 ? ("object" != typeof o5 || o5.constructor === String ? o5 = k4[f5] = m(null, o5) : w(o5) ? o5 = k4[f5] = m($, { children: o5 }) : o5.constructor === h && o5.__b ? o5 = k4[f5] = m(o5.type, o5.props, o5.key, o5.ref, o5.__v) : k4[f5] = o5, l4 = f5 + _4, o5.__ = n3, o5.__b = n3.__b + 1, e4 = null, ~(c4 = o5.__i = P(o5, r4, l4, d5)) && (d5--, (e4 = r4[c4]) && (e4.__u |= 2)), e4 && e4.__v ? (o5.__u |= 16, c4 == l4 - 1 ? _4-- : c4 == l4 + 1 ? _4++ : c4 != l4 && (c4 > l4 ? _4-- : _4++, g5 = 1)) : (~c4 || (i4 > v4 ? _4-- : i4 < v4 && _4++), "function" != typeof o5.type && (o5.__u |= 4))) : k4[f5] = null;
  if (g5) {
    for (a5 = [], s4 = [], f5 = 0; f5 < i4; f5++) if ((o5 = k4[f5]) && 16 & o5.__u) {
      for (_4 = 0, p5 = a5.length; _4 < p5; ) a5[y5 = _4 + p5 >> 1] < o5.__i ? _4 = y5 + 1 : p5 = y5;
      a5[_4] = o5.__i, s4[f5] = _4 + 1;
    }
    for (_4 = a5.length; f5--; ) s4[f5] && (s4[f5] == _4 ? _4-- : k4[f5].__u |= 4);
  }
  if (d5) for (f5 = 0; f5 < v4; f5++) !(e4 = r4[f5]) || 2 & e4.__u || (e4.__e == u5 && (u5 = S(e4)), J(e4, e4));
  return u5;
}
function A(n3, t4, r4, u5) {
  var i4, f5, o5, e4;
  if ("function" == typeof n3.type) {
    if (n3.props.__P) return t4;
    if (i4 = n3.__k) for (f5 = 0; f5 < i4.length; f5++) i4[f5] && (i4[f5].__ = n3, t4 = A(i4[f5], t4, r4, false));
    return t4;
  }
  for (t4 && !t4.parentNode && (t4 = S(n3)) && !t4.parentNode && (t4 = null), o5 = n3.__e, e4 = t4; e4 && 8 == e4.nodeType; ) e4 = e4.nextSibling;
  for (o5 != e4 && (!u5 && r4.moveBefore && o5.parentNode ? r4.moveBefore(o5, t4) : r4.insertBefore(o5, t4 || null)), t4 = o5; (t4 = t4 && t4.nextSibling) && 8 == t4.nodeType && !t4.data.startsWith("$s"); ) ;
  return t4;
}
function P(n3, t4, r4, u5) {
  var i4, f5 = n3.key, o5 = n3.type, e4 = t4[r4], l4 = e4 && !(2 & e4.__u);
  if (null === e4 && null == f5 || l4 && f5 == e4.key && o5 == e4.type) return r4;
  if (u5 > (l4 ? 1 : 0)) {
    for (i4 = r4 - 1; i4 >= 0; i4--) if ((e4 = t4[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
    for (i4 = r4 + 1; i4 < t4.length; i4++) if ((e4 = t4[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
  }
  return -1;
}
function T(n3, t4, r4) {
  null == r4 && (r4 = ""), "-" == t4[0] ? n3.setProperty(t4, r4) : n3[t4] = r4;
}
function N(n3, t4, r4, u5, i4) {
  var f5, o5;
  if ("style" == t4) if ("string" == typeof r4) n3.style.cssText = r4;
  else {
    if ("string" == typeof u5 && (n3.style.cssText = u5 = ""), u5) for (t4 in u5) r4 && t4 in r4 || T(n3.style, t4);
    if (r4) for (t4 in r4) u5 && r4[t4] == u5[t4] || T(n3.style, t4, r4[t4]);
  }
  else if ("o" == t4[0] && "n" == t4[1]) "function" != typeof r4 && (r4 = null), "function" != typeof u5 && (u5 = null), (n3.__e || (n3.__e = {}))[t4] = r4, r4 && u5 || (o5 = a[t4] || (a[t4] = V(t4)), (n3.__a || (n3.__a = {}))[t4] = c, f5 = t4 != (t4 = t4.replace(l, "$1")), (t4 = t4.slice(2))[0] < "a" && (t4 = t4.toLowerCase()), r4 ? n3.addEventListener(t4, o5, f5) : n3.removeEventListener(t4, o5, f5));
  else {
    if ("http://www.w3.org/2000/svg" == i4) t4 = t4.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t4 && "height" != t4 && "href" != t4 && "list" != t4 && "form" != t4 && "tabIndex" != t4 && "download" != t4 && "rowSpan" != t4 && "colSpan" != t4 && "role" != t4 && "popover" != t4 && t4 in n3) try {
      return void (n3[t4] = null == r4 ? "" : r4);
    } catch (n4) {
    }
    if ("function" == typeof r4) return;
    null == r4 || false === r4 && "-" != t4[4] ? n3.removeAttribute(t4) : n3.setAttribute(t4, "popover" == t4 && 1 == r4 ? "" : r4);
  }
}
function V(t4) {
  return function(r4) {
    var u5 = this.__e;
    if (u5) {
      if (u5 = u5[t4], null == r4[e]) r4[e] = c++;
      else if (r4[e] < this.__a[t4]) return;
      return u5(n.event ? n.event(r4) : r4);
    }
  };
}
function z(t4, r4, u5, i4, f5, o5, e4, l4, c4, a5) {
  var s4, p5, v4, d5, k4, b4, m5, M2, C3, j3, L2, H2, q2, A4, O2, P2, T5, N2, V2 = r4.type;
  if (r4.constructor !== h) return null;
  128 & u5.__u && (c4 = 32 & u5.__u, s4 = u5.__c.__z) && (r4.__u |= c4, p5 = o5 = [], 8 == s4.nodeType ? l4 = B(s4, o5) : o5.push(s4), l4 = o5[0] || l4), (s4 = n.__b) && s4(r4);
  n: if ("function" == typeof V2) {
    v4 = e4.length;
    try {
      if (M2 = r4.props, C3 = (s4 = V2.prototype) && s4.render, j3 = (s4 = V2.contextType) && i4[s4.__c], L2 = s4 ? j3 ? j3.props.value : s4.__ : i4, (d5 = u5.__c) ? (r4.__c = d5, 2 & d5.__g && (d5.__g |= 1)) : (C3 ? r4.__c = d5 = new V2(M2, L2) : (r4.__c = d5 = new x(M2, L2), d5.constructor = V2, d5.render = K), j3 && j3.sub(d5), d5.state || (d5.state = {}), d5.__n = i4, d5.__g |= 8, d5.__h = [], d5.__k = []), C3 && (d5.__s || (d5.__s = d5.state), V2.getDerivedStateFromProps && (d5.__s == d5.state && (d5.__s = _({}, d5.__s)), _(d5.__s, V2.getDerivedStateFromProps(M2, d5.__s)))), k4 = d5.props, b4 = d5.state, d5.__v = r4, u5.__c) {
        if (M2 !== k4 && C3 && !V2.getDerivedStateFromProps && d5.componentWillReceiveProps && d5.componentWillReceiveProps(M2, L2), r4.__v == u5.__v && !(8 & d5.__g) || !(4 & d5.__g) && d5.shouldComponentUpdate && false === d5.shouldComponentUpdate(M2, d5.__s, L2)) {
          r4.__v != u5.__v && (d5.props = M2, d5.state = d5.__s, d5.__g &= -9), r4.__e = u5.__e, r4.__k = u5.__k, r4.__k.some(function(n3) {
            n3 && (n3.__ = r4);
          }), y.push.apply(d5.__h, d5.__k), d5.__k = [], d5.__h.length && e4.push(d5), l4 = S(u5);
          break n;
        }
        d5.componentWillUpdate && d5.componentWillUpdate(M2, d5.__s, L2), C3 && d5.componentDidUpdate && d5.__h.push(function() {
          d5.componentDidUpdate(k4, b4, m5);
        });
      } else C3 && !V2.getDerivedStateFromProps && d5.componentWillMount && d5.componentWillMount(), C3 && d5.componentDidMount && d5.__h.push(d5.componentDidMount);
      d5.context = L2, d5.props = M2, d5.__P = t4, d5.__g &= -5, H2 = n.__r, q2 = C3 ? 25 : 0;
      do {
        d5.__g &= -9, H2 && H2(r4), s4 = d5.render(d5.props, d5.state = d5.__s, d5.context);
      } while (8 & d5.__g && ++q2 < 25);
      C3 && (y.push.apply(d5.__h, d5.__k), d5.__k = []), d5.state = d5.__s, d5.getChildContext && (i4 = _({}, i4, d5.getChildContext())), C3 && u5.__c && d5.getSnapshotBeforeUpdate && (m5 = d5.getSnapshotBeforeUpdate(k4, b4)), A4 = s4 && s4.type === $ && null == s4.key ? s4.props.children : s4, M2.__P && (s4 = l4, f5 = (t4 = M2.__P).namespaceURI, c4 = o5 = null, u5.props && u5.props.__P != t4 && (u5.__k.some(function(n3) {
        n3 && J(n3, n3);
      }), u5.__k = null), l4 = u5.__k ? S(u5, 0) : null), l4 = I(t4, w(A4) ? A4 : [A4], r4, u5, i4, f5, o5, e4, l4, c4, a5), M2.__P && (r4.__e = null, l4 = s4), r4.__u &= -161, p5 && p5.some(g), d5.__h.length && e4.push(d5), 1 & d5.__g && (d5.__g &= -4);
    } catch (t5) {
      if (e4.length = v4, r4.__v = null, c4 || o5) if (t5 && t5.then) {
        if (r4.__u |= 128 | c4, o5) {
          for (~(T5 = o5.indexOf(l4 || void 0)) || (T5 = o5.length); (N2 = o5[T5 - 1]) && 8 == N2.nodeType; ) T5--;
          for (; T5 < o5.length; T5++) if (N2 = o5[T5]) if (o5[T5] = null, O2) {
            if (N2 == P2) break;
          } else {
            if (8 != N2.nodeType) break;
            N2.data.startsWith("$s") && (P2 = B(O2 = N2));
          }
        }
        if (!O2) {
          for (; l4 && 8 == l4.nodeType && l4.nextSibling; ) l4 = l4.nextSibling;
          O2 = l4;
        }
        (s4 = B(O2 = r4.__c.__z || (r4.__c.__z = O2))) ? (r4.__e = O2, l4 = s4) : r4.__e = l4, l4 = l4 && l4.nextSibling;
      } else o5 && o5.some(g);
      else r4.__e = u5.__e;
      r4.__k || (r4.__k = u5.__k || []), t5 && t5.then || D(r4), n.__e(t5, r4, u5);
    }
  } else l4 = r4.__e = F(u5.__e, r4, u5, i4, f5, o5, e4, c4, a5, t4);
  return (s4 = n.diffed) && s4(r4), l4;
}
function B(n3, t4) {
  if (n3 && 8 == n3.nodeType && n3.data.startsWith("$s")) for (var r4 = 1; n3 = n3.nextSibling; ) {
    if (8 == n3.nodeType) {
      if (n3.data.startsWith("$s")) r4++;
      else if (n3.data.startsWith("/$s") && !--r4) return n3;
    }
    t4 && t4.push(n3);
  }
}
function D(n3) {
  n3 && (n3.__c && (n3.__c.__g |= 4), n3.__k && n3.__k.some(D));
}
function E(t4, r4, u5) {
  for (var i4 = 0; i4 < u5.length; ) G(u5[i4++], u5[i4++], u5[i4++]);
  n.__c && n.__c(r4, t4), t4.some(function(r5) {
    try {
      t4 = r5.__h, r5.__h = [], t4.some(function(n3) {
        n3.call(r5);
      });
    } catch (t5) {
      n.__e(t5, r5.__v);
    }
  });
}
function F(t4, r4, u5, i4, f5, o5, e4, l4, c4, a5) {
  var s4, h5, y5, _4, k4, b4, m5, M2, $2 = u5.props || p, x3 = r4.props, C3 = r4.type;
  if ("svg" == C3 ? f5 = "http://www.w3.org/2000/svg" : "math" == C3 ? f5 = "http://www.w3.org/1998/Math/MathML" : f5 || (f5 = "http://www.w3.org/1999/xhtml"), o5) {
    for (s4 = 0; s4 < o5.length; s4++) if ((k4 = o5[s4]) && (C3 ? k4.localName == C3 : 3 == k4.nodeType)) {
      t4 = k4, o5[s4] = null;
      break;
    }
  }
  if (!t4) {
    if (M2 = a5.ownerDocument || document, !C3) return M2.createTextNode(x3);
    t4 = M2.createElementNS(f5, C3, x3.is ? x3 : a5), l4 && (n.__m && n.__m(r4, o5), l4 = false), o5 = null;
  }
  if (C3) {
    if (a5 = "template" == C3 && t4.content || t4, o5 = "textarea" == C3 && null != x3.defaultValue ? null : o5 && d.call(a5.childNodes), !l4 && o5) for ($2 = {}, s4 = 0; s4 < t4.attributes.length; s4++) $2[(k4 = t4.attributes[s4]).name] = k4.value;
    for (s4 in $2) k4 = $2[s4], "dangerouslySetInnerHTML" == s4 ? y5 = k4 : "children" == s4 || s4 in x3 || "value" == s4 && "defaultValue" in x3 || "checked" == s4 && "defaultChecked" in x3 || N(t4, s4, null, k4, f5);
    for (s4 in x3) k4 = x3[s4], "children" == s4 ? _4 = k4 : "dangerouslySetInnerHTML" == s4 ? h5 = k4 : "value" == s4 ? b4 = k4 : "checked" == s4 ? m5 = k4 : l4 && "function" != typeof k4 || $2[s4] === k4 || N(t4, s4, k4, $2[s4], f5);
    h5 ? (l4 || y5 && (h5.__html == y5.__html || h5.__html == t4.innerHTML) || (t4.innerHTML = h5.__html), r4.__k = []) : (y5 && (t4.textContent = ""), ("foreignObject" == C3 || "http://www.w3.org/1998/Math/MathML" == f5 && v.test(C3)) && (f5 = "http://www.w3.org/1999/xhtml"), I(a5, w(_4) ? _4 : [_4], r4, u5, i4, f5, o5, e4, o5 ? o5[0] : u5.__k && S(u5, 0), l4, c4), o5 && o5.some(g)), l4 && "textarea" != C3 || (s4 = "value", "progress" == C3 && null == b4 ? t4.removeAttribute(s4) : null == b4 || b4 === t4[s4] && ("progress" != C3 || b4) || N(t4, s4, b4, $2[s4], f5), s4 = "checked", null != m5 && m5 != t4[s4] && N(t4, s4, m5, $2[s4], f5));
  } else $2 === x3 || l4 && t4.data == x3 || (t4.data = x3);
  return t4;
}
function G(t4, r4, u5, i4) {
  try {
    "function" == typeof t4 ? r4 ? r4.__x = t4(r4) || 1 : i4 && (i4 = i4.__c || i4.__e) && (r4 = i4.__x) && (i4.__x = null, "function" == typeof r4 ? r4() : t4(null)) : t4.current = r4;
  } catch (t5) {
    n.__e(t5, u5);
  }
}
function J(t4, r4, u5) {
  var i4, f5, o5, e4;
  if (n.unmount && n.unmount(t4), !(i4 = t4.ref) || i4.current && i4.current != t4.__e || G(i4, null, r4, t4), i4 = t4.__c) {
    if (i4.componentWillUnmount) try {
      i4.componentWillUnmount();
    } catch (t5) {
      n.__e(t5, r4);
    }
    i4.__P = i4.__n = null;
  }
  if (i4 = t4.__k) for (e4 = 0; e4 < i4.length; e4++) i4[e4] && J(i4[e4], r4, "function" != typeof t4.type || u5 && !t4.props.__P);
  !u5 && (i4 = t4.__c) && (i4 = i4.__z) && (f5 = B(i4, o5 = [])) && (i4 == t4.__e && o5.some(g), g(f5), g(i4)), u5 || g(t4.__e), t4.__e = t4.__c = t4.__ = null;
}
function K(n3, t4, r4) {
  return this.constructor(n3, r4);
}
function Q(t4, r4) {
  var u5, i4, f5, o5;
  n.__ && n.__(t4, r4), 9 == r4.nodeType && (r4 = r4.documentElement), i4 = (u5 = t4 && 32 & t4.__u) ? null : r4.__k, r4.__k = m($, { children: [t4] }), f5 = [], o5 = [], z(r4, r4.__k, i4 || p, p, r4.namespaceURI, i4 ? null : r4.firstChild ? d.call(r4.childNodes) : null, f5, i4 ? i4.__e : r4.firstChild, u5, o5), E(f5, r4.__k, o5), r4.__k.props.children = null;
}
n = { __e: function(n3, t4, r4, u5) {
  for (var i4, o5, e4; t4 = t4.__; ) if ((i4 = t4.__c) && !(1 & i4.__g)) {
    i4.__g |= 4;
    try {
      if ((e4 = (o5 = i4.constructor) && o5.getDerivedStateFromError) && i4.setState(o5.getDerivedStateFromError(n3)), i4.componentDidCatch && (i4.componentDidCatch(n3, u5 || {}), e4 = 1), e4 && 8 & i4.__g) return void (i4.__g |= 2);
    } catch (t5) {
      n3 = t5;
    }
  }
  throw f = 0, n3;
} }, t = 0, r = function(n3) {
  return null != n3 && n3.constructor === h;
}, x.prototype.setState = function(n3, t4) {
  var r4 = this.__s;
  r4 && r4 != this.state || (r4 = this.__s = _({}, this.state)), "function" == typeof n3 && (n3 = n3(_({}, r4), this.props)), n3 && (_(r4, n3), this.__v && (t4 && this.__k.push(t4), L(this)));
}, x.prototype.forceUpdate = function(n3) {
  this.__v && (this.__g |= 4, n3 && this.__h.push(n3), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n3, t4) {
  return n3.__v.__b - t4.__v.__b;
}, e = Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// node_modules/preact/hooks/dist/hooks.mjs
var t2;
var r2;
var u2;
var i2;
var o2 = Object.is;
var f2 = 0;
var c2 = [];
var e2 = [];
var a2 = n;
var v2 = a2.__b;
var l2 = a2.__r;
var m2 = a2.diffed;
var h2 = a2.__c;
var s2 = a2.unmount;
var p2 = a2.__;
function y2(n3, t4) {
  a2.__h && a2.__h(r2, n3, f2 || t4), f2 = 0;
  var u5 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n3 >= u5.__.length && u5.__.push({}), u5.__[n3];
}
function d2(n3) {
  return f2 = 1, _2(G2, n3);
}
function _2(n3, u5, i4) {
  var f5 = y2(t2++, 2);
  if (f5.t = n3, !f5.__c && (f5.__ = [i4 ? i4(u5) : G2(void 0, u5), function(n4) {
    var t4 = (f5.__N || f5.__)[0], r4 = f5.t(t4, n4);
    o2(t4, r4) || (f5.__N = [r4, f5.__[1]], f5.__c.setState({}));
  }], f5.__c = r2, !r2.__f)) {
    r2.__f = true;
    var c4 = r2.shouldComponentUpdate;
    r2.shouldComponentUpdate = function(n4, t4, r4) {
      var u6 = this.__H;
      if (!u6) return true;
      var i5 = false, f6 = this.props != n4;
      if (u6.__.some(function(n5) {
        n5.__N && (i5 = true, o2(n5.__[0], n5.__N[0]) || (f6 = true));
      }), c4) {
        var e4 = c4.call(this, n4, t4, r4);
        return i5 ? e4 || f6 : e4;
      }
      return !i5 || f6;
    };
  }
  return f5.__;
}
function A2(n3, u5) {
  var i4 = y2(t2++, 3);
  !a2.__s && E2(i4.__H, u5) && (i4.__P = true, i4.__ = n3, i4.u = u5, r2.__H.__h.push(i4));
}
function F2(n3, u5) {
  var i4 = y2(t2++, 4);
  !a2.__s && E2(i4.__H, u5) && (i4.__P = false, i4.__ = n3, i4.u = u5, r2.__h.push(i4));
}
function T2(n3) {
  return f2 = 5, w2(function() {
    return { current: n3 };
  }, []);
}
function w2(n3, r4) {
  var u5 = y2(t2++, 7);
  return E2(u5.__H, r4) && (u5.__ = n3(), u5.__H = r4), u5.__;
}
function b(n3, t4) {
  return f2 = 8, w2(function() {
    return n3;
  }, t4);
}
function g2() {
  var n3;
  do {
    for (; n3 = e2.shift(); ) try {
      C2(n3);
    } catch (t5) {
      a2.__e(t5, { __: (n3 = n3.__P) && n3.__v });
    }
    for (; n3 = c2.shift(); ) {
      var t4 = n3.__H;
      if (n3.__P && t4) try {
        t4.__h.some(C2), t4.__h.some(D2), t4.__h = [];
      } catch (r4) {
        t4.__h = [], a2.__e(r4, n3.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n3) {
  r2 = null, v2 && v2(n3);
}, a2.__ = function(n3, t4) {
  n3 && t4.__k && t4.__k.__m && (n3.__m = t4.__k.__m), p2 && p2(n3, t4);
}, a2.__r = function(n3) {
  l2 && l2(n3), t2 = 0;
  var i4 = (r2 = n3.__c).__H;
  i4 && (u2 == r2 ? r2.__h = [] : (i4.__h.some(C2), i4.__h.some(D2), t2 = 0), i4.__h = [], i4.__.some(function(n4) {
    n4.__N && (n4.__ = n4.__N), n4.u = n4.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n3) {
  m2 && m2(n3);
  var t4 = n3.__c;
  t4 && t4.__H && (t4.__H.__h.length && B2(c2.push(t4)), t4.__H.__.some(function(n4) {
    n4.u && (n4.__H = n4.u);
  })), u2 = r2 = null;
}, a2.__c = function(n3, t4) {
  t4.some(function(n4) {
    try {
      n4.__h.some(C2), n4.__h = n4.__h.filter(function(n5) {
        return !n5.__ || D2(n5);
      });
    } catch (t5) {
      n4.__h = [function() {
        throw t5;
      }];
    }
  }), h2 && h2(n3, t4);
}, a2.unmount = function(n3) {
  s2 && s2(n3);
  var t4, r4, u5 = n3.__c;
  u5 && u5.__H && (u5.__H.__.some(function(u6) {
    try {
      if (u6.__P && u6.__c) {
        if (void 0 === r4) {
          for (r4 = n3.__; r4 && (!r4.__c || !r4.__c.__P); ) r4 = r4.__;
          r4 = r4 && r4.__c;
        }
        u6.__P = r4, B2(e2.push(u6));
      } else C2(u6);
    } catch (n4) {
      t4 = n4;
    }
  }), u5.__H = void 0, t4 && a2.__e(t4, u5.__v));
};
var k2 = "function" == typeof requestAnimationFrame;
function z2(n3) {
  var t4, r4 = function() {
    clearTimeout(u5), k2 && cancelAnimationFrame(t4), setTimeout(n3);
  }, u5 = setTimeout(r4, 35);
  k2 && (t4 = requestAnimationFrame(r4));
}
function B2(n3) {
  1 != n3 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n3) {
  var t4 = r2, u5 = n3.__c;
  "function" == typeof u5 && (n3.__c = void 0, u5()), r2 = t4;
}
function D2(n3) {
  var t4 = r2;
  n3.__c = n3.__(), r2 = t4;
}
function E2(n3, t4) {
  return !n3 || n3.length != t4.length || t4.some(function(t5, r4) {
    return !o2(t5, n3[r4]);
  });
}
function G2(n3, t4) {
  return "function" == typeof t4 ? t4(n3) : t4;
}

// node_modules/@preact/signals-core/dist/signals-core.module.js
var i3 = Symbol.for("preact-signals");
function t3() {
  if (!(v3 > 1)) {
    var i4, t4 = false;
    !(function() {
      var i5 = c3;
      c3 = void 0;
      while (void 0 !== i5) {
        var t5 = i5.S;
        if (t5.v === i5.v) {
          for (var r5 = t5.t; void 0 !== r5; r5 = r5.x) if (r5.i === i5.i) r5.i = t5.i;
        }
        i5 = i5.o;
      }
    })();
    while (void 0 !== h3) {
      var r4 = h3;
      h3 = void 0;
      s3++;
      while (void 0 !== r4) {
        var n3 = r4.u;
        r4.u = void 0;
        r4.f &= -3;
        if (!(8 & r4.f) && w3(r4)) try {
          r4.c();
        } catch (r5) {
          if (!t4) {
            i4 = r5;
            t4 = true;
          }
        }
        r4 = n3;
      }
    }
    s3 = 0;
    v3--;
    if (t4) throw i4;
  } else v3--;
}
function r3(i4) {
  if (v3 > 0) return i4();
  u3 = ++e3;
  v3++;
  try {
    return i4();
  } finally {
    t3();
  }
}
var n2;
var o3 = void 0;
function f3(i4) {
  var t4 = o3, r4 = n2;
  o3 = void 0;
  n2 = void 0;
  try {
    return i4();
  } finally {
    o3 = t4;
    n2 = r4;
  }
}
var h3 = void 0;
var v3 = 0;
var s3 = 0;
var e3 = 0;
var u3 = 0;
var c3 = void 0;
var a3 = 0;
function d3(i4) {
  if (void 0 !== o3) {
    var t4 = i4.n;
    if (void 0 === t4 || t4.t !== o3) {
      t4 = { i: 0, S: i4, p: o3.s, n: void 0, t: o3, e: void 0, x: void 0, r: t4 };
      if (void 0 !== o3.s) o3.s.n = t4;
      o3.s = t4;
      i4.n = t4;
      if (32 & o3.f) i4.S(t4);
      return t4;
    } else if (-1 === t4.i) {
      t4.i = 0;
      if (void 0 !== t4.n) {
        t4.n.p = t4.p;
        if (void 0 !== t4.p) t4.p.n = t4.n;
        t4.p = o3.s;
        t4.n = void 0;
        o3.s.n = t4;
        o3.s = t4;
      }
      return t4;
    }
  }
}
function l3(i4, t4) {
  this.v = i4;
  this.i = 0;
  this.n = void 0;
  this.t = void 0;
  this.l = 0;
  this.W = null == t4 ? void 0 : t4.watched;
  this.Z = null == t4 ? void 0 : t4.unwatched;
  this.name = null == t4 ? void 0 : t4.name;
}
l3.prototype.brand = i3;
l3.prototype.h = function() {
  return true;
};
l3.prototype.S = function(i4) {
  var t4 = this, r4 = this.t;
  if (r4 !== i4 && void 0 === i4.e) {
    i4.x = r4;
    this.t = i4;
    if (void 0 !== r4) r4.e = i4;
    else f3(function() {
      var i5;
      null == (i5 = t4.W) || i5.call(t4);
    });
  }
};
l3.prototype.U = function(i4) {
  var t4 = this;
  if (void 0 !== this.t) {
    var r4 = i4.e, n3 = i4.x;
    if (void 0 !== r4) {
      r4.x = n3;
      i4.e = void 0;
    }
    if (void 0 !== n3) {
      n3.e = r4;
      i4.x = void 0;
    }
    if (i4 === this.t) {
      this.t = n3;
      if (void 0 === n3) f3(function() {
        var i5;
        null == (i5 = t4.Z) || i5.call(t4);
      });
    }
  }
};
l3.prototype.subscribe = function(i4) {
  var t4 = this;
  return x2(function() {
    var r4 = t4.value;
    f3(function() {
      return i4(r4);
    });
  }, { name: "sub" });
};
l3.prototype.valueOf = function() {
  return this.value;
};
l3.prototype.toString = function() {
  return this.value + "";
};
l3.prototype.toJSON = function() {
  return this.value;
};
l3.prototype.peek = function() {
  var i4 = this;
  return f3(function() {
    return i4.value;
  });
};
Object.defineProperty(l3.prototype, "value", { get: function() {
  var i4 = d3(this);
  if (void 0 !== i4) i4.i = this.i;
  return this.v;
}, set: function(i4) {
  if (i4 !== this.v) {
    if (s3 > 100) throw new Error("Cycle detected");
    !(function(i5) {
      if (0 !== v3 && 0 === s3) {
        if (i5.l !== u3) {
          i5.l = u3;
          c3 = { S: i5, v: i5.v, i: i5.i, o: c3 };
        }
      }
    })(this);
    this.v = i4;
    this.i++;
    a3++;
    v3++;
    try {
      for (var r4 = this.t; void 0 !== r4; r4 = r4.x) r4.t.N();
    } finally {
      t3();
    }
  }
} });
function y3(i4, t4) {
  return new l3(i4, t4);
}
function w3(i4) {
  for (var t4 = i4.s; void 0 !== t4; t4 = t4.n) if (t4.S.i !== t4.i || !t4.S.h() || t4.S.i !== t4.i) return true;
  return false;
}
function b2(i4) {
  for (var t4 = i4.s; void 0 !== t4; t4 = t4.n) {
    var r4 = t4.S.n;
    if (void 0 !== r4) t4.r = r4;
    t4.S.n = t4;
    t4.i = -1;
    if (void 0 === t4.n) {
      i4.s = t4;
      break;
    }
  }
}
function _3(i4) {
  var t4 = i4.s, r4 = void 0;
  while (void 0 !== t4) {
    var n3 = t4.p;
    if (-1 === t4.i) {
      t4.S.U(t4);
      if (void 0 !== n3) n3.n = t4.n;
      if (void 0 !== t4.n) t4.n.p = n3;
    } else r4 = t4;
    t4.S.n = t4.r;
    if (void 0 !== t4.r) t4.r = void 0;
    t4 = n3;
  }
  i4.s = r4;
}
function j2(i4, t4) {
  l3.call(this, void 0, t4);
  this.x = i4;
  this.s = void 0;
  this.g = a3 - 1;
  this.f = 4;
}
j2.prototype = new l3();
j2.prototype.h = function() {
  this.f &= -3;
  if (1 & this.f) return false;
  if (32 == (36 & this.f)) return true;
  this.f &= -5;
  if (this.g === a3) return true;
  this.g = a3;
  this.f |= 1;
  if (this.i > 0 && !w3(this)) {
    this.f &= -2;
    return true;
  }
  var i4 = o3;
  try {
    b2(this);
    o3 = this;
    var t4 = this.x();
    if (16 & this.f || this.v !== t4 || 0 === this.i) {
      this.v = t4;
      this.f &= -17;
      this.i++;
    }
  } catch (i5) {
    this.v = i5;
    this.f |= 16;
    this.i++;
  }
  o3 = i4;
  _3(this);
  this.f &= -2;
  return true;
};
j2.prototype.S = function(i4) {
  if (void 0 === this.t) {
    this.f |= 36;
    for (var t4 = this.s; void 0 !== t4; t4 = t4.n) t4.S.S(t4);
  }
  l3.prototype.S.call(this, i4);
};
j2.prototype.U = function(i4) {
  if (void 0 !== this.t) {
    l3.prototype.U.call(this, i4);
    if (void 0 === this.t) {
      this.f &= -33;
      for (var t4 = this.s; void 0 !== t4; t4 = t4.n) t4.S.U(t4);
    }
  }
};
j2.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 6;
    for (var i4 = this.t; void 0 !== i4; i4 = i4.x) i4.t.N();
  }
};
Object.defineProperty(j2.prototype, "value", { get: function() {
  if (1 & this.f) throw new Error("Cycle detected");
  var i4 = d3(this);
  this.h();
  if (void 0 !== i4) i4.i = this.i;
  if (16 & this.f) throw this.v;
  return this.v;
} });
function O(i4, t4) {
  return new j2(i4, t4);
}
function p3(i4) {
  var r4 = i4.j;
  i4.j = void 0;
  if ("function" == typeof r4) {
    v3++;
    var n3 = o3;
    o3 = void 0;
    try {
      r4();
    } catch (t4) {
      i4.f &= -2;
      i4.f |= 8;
      g3(i4);
      throw t4;
    } finally {
      o3 = n3;
      t3();
    }
  }
}
function g3(i4) {
  for (var t4 = i4.s; void 0 !== t4; t4 = t4.n) t4.S.U(t4);
  i4.x = void 0;
  i4.s = void 0;
  p3(i4);
}
function S2(i4) {
  if (o3 !== this) throw new Error("Out-of-order effect");
  _3(this);
  o3 = i4;
  this.f &= -2;
  try {
    if (8 & this.f) g3(this);
  } finally {
    t3();
  }
}
function m3(i4, t4) {
  this.x = i4;
  this.j = void 0;
  this.s = void 0;
  this.u = void 0;
  this.f = 32;
  this.name = null == t4 ? void 0 : t4.name;
  if (n2) n2.push(this);
}
m3.prototype.c = function() {
  var i4 = this.S();
  try {
    if (8 & this.f) return;
    if (void 0 === this.x) return;
    var t4 = this.x();
    if ("function" == typeof t4) this.j = t4;
  } finally {
    i4();
  }
};
m3.prototype.S = function() {
  if (1 & this.f) throw new Error("Cycle detected");
  this.f |= 1;
  this.f &= -9;
  p3(this);
  b2(this);
  v3++;
  var i4 = o3;
  o3 = this;
  return S2.bind(this, i4);
};
m3.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 2;
    this.u = h3;
    h3 = this;
  }
};
m3.prototype.d = function() {
  this.f |= 8;
  if (!(1 & this.f)) g3(this);
};
m3.prototype.dispose = function() {
  this.d();
};
function x2(i4, t4) {
  var r4 = new m3(i4, t4);
  try {
    r4.c();
  } catch (i5) {
    r4.d();
    throw i5;
  }
  var n3 = r4.d.bind(r4);
  n3[Symbol.dispose] = n3;
  return n3;
}

// node_modules/@preact/signals/dist/signals.module.js
var h4;
var d4;
var p4;
var m4 = "undefined" != typeof window && !!window.__PREACT_SIGNALS_DEVTOOLS__;
var g4 = [];
x2(function() {
  h4 = this.N;
})();
function b3(i4, n3) {
  n[i4] = n3.bind(null, n[i4] || function() {
  });
}
function y4(i4) {
  if (p4) {
    var n3 = p4;
    p4 = void 0;
    n3();
  }
  p4 = i4 && i4.S();
}
function w4(i4) {
  var n3 = this, r4 = i4.data, t4 = useSignal(r4);
  t4.name = "ReactiveDom";
  t4.value = r4;
  var e4 = w2(function() {
    var i5 = n3, r5 = n3.__v;
    while (r5 = r5.__) if (r5.__c) {
      r5.__c.__$f |= 4;
      break;
    }
    var o5 = O(function() {
      var i6 = t4.value.value;
      return 0 === i6 ? 0 : true === i6 ? "" : i6 || "";
    }), e5 = O(function() {
      return !Array.isArray(o5.value) && !r(o5.value);
    }), u6 = x2(function() {
      this.N = M;
      if (e5.value) {
        var n4 = o5.value;
        if (i5.__v && i5.__v.__e && 3 === i5.__v.__e.nodeType) i5.__v.__e.data = n4;
      }
    }), c5 = n3.__$u.d;
    n3.__$u.d = function() {
      u6();
      c5.call(this);
    };
    return [e5, o5];
  }, []), u5 = e4[0], c4 = e4[1];
  return u5.value ? c4.peek() : c4.value;
}
w4.displayName = "ReactiveTextNode";
Object.defineProperties(l3.prototype, { constructor: { configurable: true, value: k($, null).constructor }, type: { configurable: true, value: w4 }, props: { configurable: true, get: function() {
  var i4 = this;
  return { data: { get value() {
    return i4.value;
  } } };
} }, __b: { configurable: true, value: 1 } });
b3("__b", function(i4, n3) {
  y4();
  d4 = void 0;
  if ("string" == typeof n3.type) {
    var r4, t4 = n3.props;
    for (var f5 in t4) if ("children" !== f5) {
      var o5 = t4[f5];
      if (o5 instanceof l3) {
        if (!r4) n3.__np = r4 = {};
        r4[f5] = o5;
        t4[f5] = o5.peek();
      }
    }
  }
  i4(n3);
});
b3("__r", function(i4, r4) {
  i4(r4);
  if (r4.type !== $) {
    y4();
    var t4, f5 = r4.__c;
    if (f5) {
      f5.__$f &= -2;
      if (void 0 === (t4 = f5.__$u)) f5.__$u = t4 = (function(i5, n3) {
        var r5;
        x2(function() {
          r5 = this;
        }, { name: n3 });
        r5.c = i5;
        return r5;
      })(/* @__PURE__ */ (function(i5) {
        return function() {
          var n3;
          if (m4) null == (n3 = this.y) || n3.call(this);
          i5.__$f |= 1;
          i5.setState({});
        };
      })(f5), "function" == typeof r4.type ? r4.type.displayName || r4.type.name : "");
    }
    d4 = f5;
    y4(t4);
  }
});
b3("__e", function(i4, n3, r4, t4) {
  y4();
  d4 = void 0;
  i4(n3, r4, t4);
});
b3("diffed", function(i4, n3) {
  y4();
  d4 = void 0;
  var r4;
  if ("string" == typeof n3.type && (r4 = n3.__e)) {
    var t4 = n3.__np, f5 = n3.props, o5 = r4.U;
    if (o5) for (var e4 in o5) {
      var u5 = o5[e4];
      if (!(void 0 === u5 || t4 && e4 in t4)) {
        u5.d();
        o5[e4] = void 0;
      }
    }
    if (t4) {
      if (!o5) {
        o5 = {};
        r4.U = o5;
      }
      for (var a5 in t4) {
        var c4 = o5[a5], v4 = t4[a5];
        if (void 0 === c4) {
          c4 = k3(r4, a5, v4, f5);
          o5[a5] = c4;
        } else c4.o(v4, f5);
      }
    }
  }
  i4(n3);
});
function k3(i4, n3, r4, t4) {
  var f5 = n3 in i4 && void 0 === i4.ownerSVGElement, o5 = y3(r4);
  return { o: function(i5, n4) {
    o5.value = i5;
    t4 = n4;
  }, d: x2(function() {
    this.N = M;
    var r5 = o5.value.value;
    if (t4[n3] !== r5) {
      t4[n3] = r5;
      if (f5) i4[n3] = r5;
      else if (null != r5 && (false !== r5 || "-" === n3[4])) i4.setAttribute(n3, r5);
      else i4.removeAttribute(n3);
    }
  }) };
}
b3("unmount", function(i4, n3) {
  if ("string" == typeof n3.type) {
    var r4 = n3.__e;
    if (r4) {
      var t4 = r4.U;
      if (t4) {
        r4.U = void 0;
        for (var f5 in t4) {
          var o5 = t4[f5];
          if (o5) o5.d();
        }
      }
    }
    var e4 = n3.__np;
    if (e4) {
      var u5 = n3.props;
      for (var a5 in e4) u5[a5] = e4[a5];
    }
    n3.__np = void 0;
  } else {
    var c4 = n3.__c;
    if (c4) {
      c4.__$f |= 8;
      var v4 = c4.__$u;
      if (v4) {
        c4.__$u = void 0;
        v4.d();
      }
    }
  }
  i4(n3);
});
b3("__h", function(i4, n3, r4, t4) {
  if (t4 < 3) n3.__$f |= 2;
  i4(n3, r4, t4);
});
x.prototype.shouldComponentUpdate = function(i4, n3) {
  if (this.__R) return true;
  var r4 = this.__$u, t4 = r4 && void 0 !== r4.s;
  for (var f5 in n3) return true;
  if (this.__f || "boolean" == typeof this.u && true === this.u) {
    var o5 = 2 & this.__$f;
    if (!(t4 || o5 || 4 & this.__$f)) return true;
    if (1 & this.__$f) return true;
  } else {
    if (!(t4 || 4 & this.__$f)) return true;
    if (3 & this.__$f) return true;
  }
  for (var e4 in i4) if ("__source" !== e4 && i4[e4] !== this.props[e4]) return true;
  for (var u5 in this.props) if (!(u5 in i4)) return true;
  return false;
};
function useSignal(i4, n3) {
  return w2(function() {
    return y3(i4, n3);
  }, []);
}
var A3 = function(i4) {
  queueMicrotask(function() {
    queueMicrotask(i4);
  });
};
function F3() {
  r3(function() {
    var i4;
    while (i4 = g4.shift()) h4.call(i4);
  });
}
function M() {
  if (1 === g4.push(this)) (n.requestAnimationFrame || A3)(F3);
}

// src/address.ts
var BASE = "/explore/";
var PARAMETERS = {
  projects: [],
  overview: ["at"],
  subjects: ["q", "fact", "column", "at"],
  subject: ["item", "leaf", "only", "q", "view", "fold", "at", "against"],
  files: ["q", "at"],
  file: ["line", "at"],
  "what-if": ["subject", "at"],
  matrix: ["keys", "q", "fact", "subject", "all", "item", "leaf", "at"],
  compare: ["from", "to", "by", "effect", "subject"],
  findings: ["code", "file", "q", "by", "finding", "at"],
  search: ["q", "kind", "at"]
};
var NUMBER = /^[1-9]\d{0,8}$/;
var VALUES = {
  line: NUMBER,
  effect: NUMBER,
  fold: NUMBER,
  view: /^(yaml|json)$/,
  all: /^1$/,
  by: /^(code|file|effect|change|path)$/,
  kind: /^(subjects|keys|files|values|findings)$/
};
var NAMED = ["subject", "file", "what-if"];
var isList = (page, name) => name === "fact" || name === "column" || page === "matrix" && name === "subject";
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return void 0;
  }
}
function address(page, project3 = "", name = "", query = {}) {
  return { page, project: project3, name, query, draft: "" };
}
function readAddress(pathname, search2, hash) {
  const unknown = [];
  const parts = pathname.startsWith(BASE) ? pathname.slice(BASE.length).split("/") : [];
  const project3 = decoded(parts[0] ?? "");
  const found = address("projects");
  if (project3 === void 0) {
    return { address: found, unknown: [parts[0] ?? ""] };
  }
  found.project = project3;
  if (project3 !== "") {
    found.page = "overview";
    const word = parts[1] ?? "";
    const rest = parts.slice(2).join("/");
    if (word in PARAMETERS && word !== "projects") {
      const page = word;
      const name = decoded(rest);
      if (name === void 0 || !NAMED.includes(page) && rest !== "") {
        unknown.push(rest);
      } else {
        found.name = name.startsWith("~") && DOTS.test(name) ? name.slice(1) : name;
      }
      found.page = name === void 0 && page === "file" ? "files" : name === void 0 && page === "subject" ? "subjects" : page;
      if (found.page === "file" && found.name === "") found.page = "files";
    } else if (word !== "") {
      unknown.push(parts.slice(1).join("/"));
    }
  }
  const known = PARAMETERS[found.page];
  for (const [name, value] of new URLSearchParams(search2)) {
    if (!known.includes(name) || VALUES[name]?.test(value) === false) {
      unknown.push(`${name}=${value}`);
    } else if (isList(found.page, name)) {
      found.query[name] = found.query[name] === void 0 ? value : `${found.query[name]}
${value}`;
    } else {
      found.query[name] = value;
    }
  }
  if (hash.startsWith("#d=") && found.page === "what-if") {
    found.draft = hash.slice(3);
  } else if (hash !== "" && hash !== "#main") {
    unknown.push(hash);
  }
  return { address: found, unknown };
}
function encodedQuery(text) {
  return encodeURIComponent(text).replace(/%(?:2F|3A|2A|2C|40)/g, (escape) => decodeURIComponent(escape)).replace(/%20/g, "+");
}
var DOTS = /^~*\.\.?$/;
var pathName = (name) => DOTS.test(name) ? `~${name}` : name;
function encodedPath(name) {
  return pathName(name).split("/").map(encodeURIComponent).join("/");
}
function writeAddress(to2) {
  let text = BASE;
  if (to2.project !== "") {
    text += `${encodeURIComponent(to2.project)}/`;
    if (NAMED.includes(to2.page)) {
      text += `${to2.page}/${encodedPath(to2.name)}`;
    } else if (to2.page !== "overview" && to2.page !== "projects") {
      text += to2.page;
    }
  }
  const words = [];
  for (const name of PARAMETERS[to2.page]) {
    const value = to2.query[name];
    if (value === void 0) continue;
    for (const one of isList(to2.page, name) ? value.split("\n") : [value]) words.push(`${name}=${encodedQuery(one)}`);
  }
  if (words.length > 0) text += `?${words.join("&")}`;
  if (to2.draft !== "") text += `#d=${to2.draft}`;
  return text;
}

// src/pure/numbers.ts
var MARK = `${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
var MARKED = new RegExp(`"${MARK}([^"]*)"`, "g");
var KEY = `${MARK}`;
var SUSPECT = /(?:^|[\s:,[])-?\d+[.eE]|\d{16}|-0(?:[\s,\]}]|$)|"\d+":/;
var TOKENS = /"(\d+)"(?=\s*:)|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
var exactNumber = (text) => MARK + text;
function parseExact(text) {
  if (!SUSPECT.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(TOKENS, (token, key) => key !== void 0 ? `"${KEY}${key}"` : token.startsWith('"') || String(Number(token)) === token ? token : `"${exactNumber(token)}"`));
}
function exactJson(value) {
  const text = JSON.stringify(value);
  return text.includes(MARK) ? text.replaceAll(KEY, "").replace(MARKED, "$1") : text;
}
var exactKey = (key) => /^\d+$/.test(key) ? KEY + key : key;
var plainKey = (key) => key.startsWith(KEY) ? key.slice(KEY.length) : key;

// src/api.ts
var PREFIX = "/strata/v1/explore";
var Refused = class extends Error {
  constructor(status, message, errors, body = {}) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.body = body;
  }
};
function target(path, query = {}) {
  const words = [];
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : value === void 0 ? [] : [String(value)]) {
      words.push(`${name}=${encodeURIComponent(one)}`);
    }
  }
  return `${PREFIX}${path}${words.length > 0 ? `?${words.join("&")}` : ""}`;
}
var projectPath = (name) => `/projects/${encodeURIComponent(name)}`;
var part = (name) => encodeURIComponent(name);
var subjectPart = (name) => part(pathName(name));
async function refusal(answer) {
  let body = {};
  try {
    body = await answer.json();
  } catch {
  }
  const detail = typeof body["detail"] === "string" ? body["detail"] : `${answer.status} ${answer.statusText}`;
  const errors = Array.isArray(body["errors"]) ? body["errors"] : [];
  return new Refused(answer.status, detail, errors, body);
}
async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", redirect: "error", ...options });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, "no answer", []);
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}
var kept = /* @__PURE__ */ new Map();
var MOST_KEPT = 300;
var present = 0;
function tellGeneration(generation2) {
  present = generation2;
}
function forget() {
  kept.clear();
}
async function get(path, query, signal) {
  const address2 = target(path, query);
  const before = kept.get(address2);
  if (before && before.generation === present) return before.body;
  if (coming?.address === address2 && coming.generation === present) return coming.body;
  return read(address2, signal);
}
var coming;
function early(path, query) {
  const address2 = target(path, query);
  if (kept.get(address2)?.generation === present || coming?.address === address2) return;
  const mine = { address: address2, generation: present, body: read(address2) };
  coming = mine;
  const over = () => {
    if (coming === mine) coming = void 0;
  };
  mine.body.then(over, over);
}
async function read(address2, signal) {
  const answer = await ask(address2, signal ? { signal } : {});
  const body = parseExact(await answer.text());
  kept.delete(address2);
  kept.set(address2, { generation: body.generation, body });
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  return body;
}
var projects = (signal) => get("/projects", {}, signal);
var overview = (name, at2, commits, signal) => get(projectPath(name), { at: at2, ...commits ? {} : { commits: 0 } }, signal);
var facets = (name, at2, signal) => get(`${projectPath(name)}/facets`, { at: at2 }, signal);
async function names(name, at2, signal) {
  const text = await (await ask(target(`${projectPath(name)}/names`, { at: at2 }), signal ? { signal } : {})).text();
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
var subjects = (name, at2, ids, signal) => get(`${projectPath(name)}/subjects`, { at: at2, ids: ids.join("\n") }, signal);
var rows = (name, at2, subject, query, signal) => get(`${projectPath(name)}/subjects/${subjectPart(subject)}/rows`, { at: at2, ...query }, signal);
var leafPath = (name, subject) => `${projectPath(name)}/subjects/${subjectPart(subject)}/leaf`;
var leafQuery = (at2, item, path) => ({ at: at2, item, path, others: 0 });
var expectLeaf = (name, at2, subject, item, path) => early(leafPath(name, subject), leafQuery(at2, item, path));
var search = (name, at2, q2, kind, count, signal) => get(`${projectPath(name)}/search`, { at: at2, q: q2, kind, count }, signal);
async function isUnknown() {
  try {
    await ask(target("/projects"), {});
    return false;
  } catch (error) {
    return error instanceof Refused && error.status === 401;
  }
}
async function openSession(token) {
  await ask(target("/session"), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) });
}
var eventsAddress = target("/events");

// src/texts.ts
var numbers = new Intl.NumberFormat();
var dates = new Intl.DateTimeFormat(void 0, { dateStyle: "medium", timeStyle: "short" });
var number = (count) => numbers.format(count);
var many = (count, one, more = `${one}s`) => `${number(count)} ${count === 1 ? one : more}`;
var counted = (count, words) => `${number(count)} ${count === 1 ? words.replace(/s$/, "") : words}`;
var title = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
var subjectWord = (project3) => project3?.subject_word || "subject";
var subjectWords = (project3, count = 2) => count === 1 ? subjectWord(project3) : `${subjectWord(project3)}s`;
var seconds = (count) => count < 60 ? `${count} s` : count < 3600 ? `${Math.round(count / 60)} min` : `${Math.round(count / 3600)} h`;
var FINDINGS = {
  "dead-override": "dead override",
  "never-visible": "never visible",
  "dead-item": "dead item",
  "unused-file": "unused file",
  "unreachable-level": "unreachable level",
  "unknown-variable": "unknown variable",
  "unused-key": "unused key",
  "unknown-parameter": "unknown parameter",
  "idle-options": "idle options",
  typo: "typo?",
  "unknown-module": "unknown module",
  "type-clash": "type clash",
  "scalar-type": "text or number?"
};
var T4 = {
  number,
  title,
  subjectWord,
  subjectWords,
  pages: {
    projects: "Projects",
    overview: "Overview",
    subjects: "Subjects",
    subject: "Result",
    files: "Files",
    file: "File",
    "what-if": "What if",
    matrix: "Matrix",
    compare: "Compare",
    findings: "Findings",
    search: "Search"
  },
  // Words of many pages.
  project: "project",
  projects: "Projects",
  files: "files",
  filesOf: (count) => count === 1 ? "file" : "files",
  close: "Close",
  copied: "Copied",
  notCopied: "The browser does not allow copying",
  copiedPath: (path) => `Copied ${path}`,
  countOf: (count, all, words) => count === all ? counted(all, words) : `${number(count)} of ${counted(all, words)}`,
  countWords: counted,
  hits: (count) => `${many(count, "hit")}`,
  lines: (count) => `… ${many(count, "line")}`,
  date: (text) => {
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? text : dates.format(date);
  },
  note: "note:",
  hint: "hint:",
  noPlace: "(no file)",
  breadcrumb: "Where you are",
  skip: "Skip to the page",
  beginHere: "Begin here",
  pagesOf: "Pages of this project",
  filters: "Filters",
  view: "View",
  facets: "Facts",
  stop: "Stop",
  stopped: "Stopped.",
  goOn: "Go on",
  progress: (work2, done, all, words) => all === null ? `${number(done)} answers for the ${work2}` : `${number(Math.min(done, all))} of ${counted(all, words)} for the ${work2}`,
  severities: { error: "error", warning: "warning", note: "note" },
  errors: (count) => many(count, "error"),
  warningsCount: (count) => many(count, "warning"),
  warnings: (count) => many(count, "warning"),
  summary: (errors, warnings, notes) => [many(errors, "error"), many(warnings, "warning"), ...notes > 0 ? [many(notes, "note")] : []].join(", "),
  findingShort: (code) => FINDINGS[code.replace(/^check\./, "")] ?? code.replace(/^check\./, "").replace(/-/g, " "),
  fates: { won: "won", merged: "merged", shadowed: "shadowed", removed: "removed" },
  fateSigns: { won: "●", merged: "◐", shadowed: "⊘", removed: "✕" },
  signs: {
    losers: { text: "⊘", words: (count) => `${number(count)} overridden` },
    computed: { text: "ƒ", words: "computed" },
    secret: { text: "", words: "secret" },
    finding: { text: "!", words: "finding" },
    differs: { text: "Δ", words: "differs" },
    failed: { text: "✕", words: "failed" }
  },
  // States.
  forbidden: "You may not see this.",
  noAnswer: "The service does not answer.",
  notConnected: "Not connected.",
  tryingIn: (count) => count === 0 ? "Trying again …" : `Trying again in ${count} s.`,
  tryNow: "Try now",
  token: "Token",
  signIn: "Show the explorer",
  signInHow: "The service shows its projects to those who have a token. From strata explore, open the address that it printed.",
  age: (count) => `What you see is ${seconds(count)} old.`,
  generation: (count) => `generation ${number(count)}`,
  filesChanged: (count, ago) => `${many(count, "file")} changed ${seconds(ago)} ago`,
  notUnderstood: "This part of the address was not understood:",
  thereIsNo: (what) => `There is no ${what}`,
  asOf: (revision) => `as of ${revision}`,
  near: "Near:",
  noSuchRevision: "There is no such revision:",
  noSuchProject: "the service shows no project of this name",
  nothingFits: "Nothing fits the filter.",
  nothingOf: (layer) => `No line is from a layer ${layer}.`,
  nothingLeft: "No line is left: switch a filter off.",
  loadingPage: "Fetching the page",
  loadingProject: "Reading the project",
  loadingSubjects: (words) => `Reading the ${words}`,
  loadingResult: "Computing the result",
  loadingCommits: "Looking for commits that changed a result",
  // Header.
  at: "at:",
  workingTree: "working tree",
  search: "Search",
  searchHow: "Search   /",
  theme: (theme2) => `Theme: ${theme2 === "auto" ? "as the system" : theme2}`,
  help: "Keys",
  changedFiles: "changed files in the draft",
  // Projects and overview.
  noProjects: "There is no project here: go to a folder with configuration, or write a .strata.yaml.",
  revisionWith: (revision, changed2) => `${revision}${changed2 > 0 ? ` + ${many(changed2, "changed file")}` : ""}`,
  tileSubjects: "what each one gets, and why",
  tileFiles: "what each line reaches",
  tileProblems: (count) => count === 1 ? "problem" : "problems",
  tileFindings: "dead lines, typos, clashes",
  tileMatrix: "where they differ",
  layersHeading: "Layers",
  layersAbout: "Strongest first. The bar shows how much of what a layer writes is seen by somebody.",
  noLayers: "No file has a value that a result could have.",
  layer: "Layer",
  allLayers: "all",
  neverVisible: "Never visible",
  deadOverride: "Dead override",
  leavesColumn: "Values seen",
  noLeavesOfOwn: "–",
  seenOf: (seen, leaves) => `${number(seen)} of ${number(leaves)}`,
  barTitle: (leaves, seen, never, dead) => `${many(leaves, "value")} written, ${number(seen)} seen, ${number(never)} never visible, ${many(dead, "dead override")}`,
  mostOverridden: "Most overridden",
  nothingOverridden: "Nothing is overridden.",
  overriddenCount: (losers, subjects2, words) => `${many(losers, "value")} overridden, ${counted(subjects2, words)}`,
  commitsHeading: "Commits that changed a result",
  noCommits: "No commit changed a result.",
  changes: (count) => many(count, "change"),
  // Subjects.
  columns: "Columns",
  select: "Pick",
  selectOne: (name) => `Pick ${name}`,
  selectNone: "Pick none",
  selectHow: "Pick two to compare them, more for the matrix.",
  compareTwo: "Compare the two",
  matrixOf: (count, words) => `Matrix of ${counted(count, words)}`,
  filterSubjects: (words) => `Filter ${words}`,
  filterHow: "name  -not  fact:role=db",
  findingsColumn: "Findings",
  assumed: (words) => `The ${words} are guessed from the names of files.`,
  /** Why there is nothing: without subjects that comes first. */
  nothingWithout: (project3, why) => project3?.subjects === 0 ? T4.noSubjects(subjectWord(project3)) : why,
  noSubjects: (word) => `This project has no ${word}s: name a folder of facts, --nodes DIR, or nodes: in .strata.yaml.`,
  // Result and inspector.
  origin: "Origin",
  value: "Value",
  marks: "Marks",
  asAbove: "as above",
  filterKeys: "Filter keys and values",
  onlyOverridden: "Only overridden",
  onlyDiffers: (words) => `Only what differs from most ${words}`,
  fold: "Fold",
  foldNothing: "nothing",
  foldLevel: (level) => `to level ${level}`,
  viewRows: "Lines",
  viewText: (format) => format.toUpperCase(),
  resultOf: (name) => `Result of ${name}`,
  emptyResult: (word) => `This ${word} gets nothing: no file has a value for it.`,
  subjectFails: (word) => `This ${word} has no result.`,
  noMoreMarks: "No more marks",
  // Findings.
  noFindings: "Nothing found: no line is without effect.",
  // Codes of errors.
  codeHow: "What this means"
};

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f4 = Symbol.for("pv");
var o4 = 0;
var u4 = Array.isArray;
function a4(t4, e4, n3, u5, a5, i4) {
  e4 || (e4 = {});
  var c4, l4, p5 = e4;
  if ("ref" in p5 && "function" != typeof t4) for (l4 in p5 = {}, e4) "ref" == l4 ? c4 = e4[l4] : p5[l4] = e4[l4];
  var s4 = { type: t4, props: p5, key: n3, ref: c4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f4, __v: --o4, __i: -1, __u: 0 };
  return (a5 || i4) && (s4.__source = a5, s4.__self = i4), n.vnode && n.vnode(s4), s4;
}

// src/state.ts
var first = readAddress(location.pathname, location.search, location.hash);
var here = y3(first.address);
var unknownParts = y3(first.unknown);
var at = O(() => here.value.query.at);
var told = y3("");
function misses(part2) {
  unknownParts.value = [...unknownParts.value.filter((one) => one !== part2), part2];
  return () => {
    unknownParts.value = unknownParts.value.filter((one) => one !== part2);
  };
}
function go(to2) {
  if (writeAddress(to2) === writeAddress(here.value)) return;
  history.pushState(null, "", writeAddress(to2));
  here.value = to2;
  unknownParts.value = [];
}
function replace(to2) {
  history.replaceState(null, "", writeAddress(to2));
  here.value = to2;
}
function withQuery(from, query) {
  const merged = { ...from.query, ...query };
  const clean = {};
  for (const [name, value] of Object.entries(merged)) if (value !== void 0) clean[name] = value;
  return { ...from, query: clean };
}
var refine = (query) => replace(withQuery(here.value, query));
var turn = (query) => go(withQuery(here.value, query));
var shownProject = O(() => here.value.project);
function to(page, name = "", query = {}) {
  const keeps = page !== "projects" && page !== "compare" && at.value !== void 0;
  return withQuery(address(page, shownProject.value, name), { ...keeps ? { at: at.value } : {}, ...query });
}
addEventListener("popstate", () => {
  const read3 = readAddress(location.pathname, location.search, location.hash);
  here.value = read3.address;
  unknownParts.value = read3.unknown;
});
function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
function store(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
  }
}
var storedTheme = stored("strata.theme");
var theme = y3(storedTheme === "light" || storedTheme === "dark" ? storedTheme : "auto");
var singleKeys = y3(stored("strata.keys") !== "off");
theme.subscribe((value) => {
  document.documentElement.dataset["theme"] = value;
  store("strata.theme", value);
});
singleKeys.subscribe((value) => {
  store("strata.keys", value ? "on" : "off");
});
var connection = y3({ next: null, since: Date.now() });
var signedOut = y3(false);
var generation = y3(0);
var changed = y3(void 0);
var work = y3(void 0);
function begin(text, stop) {
  const mine = { text, stop };
  work.value = mine;
  return () => {
    if (work.value === mine) work.value = void 0;
  };
}
var progress = y3([]);
var counted2 = y3(0);
var projects2 = y3(void 0);
var project = O(() => projects2.value?.find((one) => one.name === shownProject.value));
var MOST_CHECKED = 1e3;
var checksStates = O(() => (project.value?.subjects ?? 0) <= MOST_CHECKED);
var LONGEST_WAIT = 30;
var source;
var waits = 1;
var timer;
var tries = 0;
var telling;
function endWaiting() {
  clearTimeout(timer);
  timer = void 0;
}
function connect() {
  endWaiting();
  source?.close();
  tries += 1;
  const mine = tries;
  source = new EventSource(eventsAddress);
  source.addEventListener("generation", (event) => {
    const data = JSON.parse(event.data);
    waits = 1;
    endWaiting();
    signedOut.value = false;
    if (connection.value.next !== null) connection.value = { next: null, since: Date.now() };
    if (generation.value !== 0 && data.generation !== generation.value) changed.value = { files: data.changed ?? [], time: Date.now() };
    tellGeneration(data.generation);
    generation.value = data.generation;
  });
  source.addEventListener("progress", (event) => {
    const told2 = JSON.parse(event.data);
    const others = progress.value.filter((one) => one.project !== told2.project || one.at !== told2.at || one.work !== told2.work);
    progress.value = told2.over ? others : [...others, told2];
    if (!told2.over) return;
    clearTimeout(telling);
    telling = setTimeout(() => {
      forget();
      counted2.value += 1;
    }, 100);
  });
  source.addEventListener("error", () => {
    progress.value = [];
    source?.close();
    source = void 0;
    lost();
    void isUnknown().then((unknown) => {
      if (mine === tries) signedOut.value = unknown;
    });
  });
}
function lost() {
  if (timer !== void 0) return;
  connection.value = { next: Date.now() + waits * 1e3, since: connection.value.next === null ? Date.now() : connection.value.since };
  timer = setTimeout(connect, waits * 1e3);
  waits = Math.min(LONGEST_WAIT, waits * 2);
}
addEventListener("focus", () => {
  if (connection.value.next !== null) connect();
});

// src/use.ts
var STOPPED = -1;
var waiting = /* @__PURE__ */ new Set();
var again = y3(0);
function stopWaiting() {
  for (const stop of [...waiting]) stop();
}
function askAgain() {
  again.value += 1;
}
function useAnswer(key, load) {
  const [state, setState] = d2({ value: void 0, key: void 0, error: void 0, busy: key !== void 0 });
  const now = `${generation.value} ${again.value}`;
  F2(() => {
    if (key === void 0) {
      setState({ value: void 0, key: void 0, error: void 0, busy: false });
      return void 0;
    }
    const control2 = new AbortController();
    setState((old) => ({ ...old, error: old.error?.status === STOPPED ? void 0 : old.error, busy: true }));
    const stop = () => {
      waiting.delete(stop);
      control2.abort();
      setState((old) => ({ ...old, busy: false, error: new Refused(STOPPED, "", []) }));
    };
    waiting.add(stop);
    load(control2.signal).then(
      (value) => {
        waiting.delete(stop);
        if (!control2.signal.aborted) setState({ value, key, error: void 0, busy: false });
      },
      (error) => {
        waiting.delete(stop);
        if (control2.signal.aborted) return;
        if (!(error instanceof Refused)) throw error;
        if (error.status === 0) {
          lost();
          setState((old) => ({ ...old, busy: false, error: old.value === void 0 ? error : void 0 }));
        } else {
          setState((old) => ({ value: old.key === key && error.status !== 404 ? old.value : void 0, key, error, busy: false }));
        }
      }
    );
    return () => {
      waiting.delete(stop);
      control2.abort();
    };
  }, [key, now]);
  return state;
}
function useSettled(value, milliseconds) {
  const [settled, setSettled] = d2(value);
  A2(() => {
    const timer2 = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer2);
  }, [value, milliseconds]);
  return settled;
}
function useTyped(page, name, milliseconds = 150) {
  const asked2 = here.value.query[name] ?? "";
  const [text, setText] = d2(asked2);
  const settled = useSettled(text, milliseconds);
  const told2 = T2(asked2);
  A2(() => {
    if (settled === told2.current || here.value.page !== page) return;
    told2.current = settled;
    refine({ [name]: settled || void 0 });
  }, [settled]);
  A2(() => {
    if (asked2 === told2.current) return;
    told2.current = asked2;
    setText(asked2);
  }, [asked2]);
  return [text, setText, settled];
}
function useMiss(part2) {
  A2(() => part2 ? misses(part2) : void 0, [part2]);
}
function useLatest(value) {
  const ref = T2(value);
  ref.current = value;
  return ref;
}

// src/parts/keys.ts
var listeners = [];
var prefix = "";
function onKey(keys) {
  listeners.push(keys);
  return () => {
    listeners.splice(listeners.indexOf(keys), 1);
  };
}
function takesText(target2) {
  const element = target2 instanceof Element ? target2.shadowRoot?.activeElement ?? target2 : null;
  return element?.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true], .editor-host") != null;
}
document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k" && !event.altKey && !event.shiftKey) {
    if (run("/")) event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || takesText(event.composedPath()[0] ?? null) || takesText(event.target)) return;
  if (!singleKeys.value) return;
  const key = prefix + event.key;
  prefix = "";
  if (event.key === "g" && key === "g") {
    prefix = "g ";
    return;
  }
  if (run(key)) event.preventDefault();
});
function run(key) {
  for (let index = listeners.length - 1; index >= 0; index -= 1) {
    const action = listeners[index][key];
    if (action) {
      action();
      return true;
    }
  }
  return false;
}
function useShown(about) {
  const pane = T2(null);
  A2(() => {
    if (matchMedia("(max-width: 60rem)").matches) pane.current?.scrollIntoView({ block: "start" });
  }, [about]);
  return pane;
}
function focusFirstGrid() {
  const grid = document.querySelector("main [role=grid], main [role=treegrid]");
  grid?.focus();
  return grid !== null;
}
function keepFocus() {
  const now = document.activeElement;
  if (now === null || now === document.body) document.getElementById("main")?.focus({ preventScroll: true });
}

// src/parts/names.ts
var namesOf = y3(void 0);
var smallNames = O(() => namesOf.value?.map((name) => name.toLowerCase()) ?? []);
var namesError = y3(void 0);
var control;
var asked = "";
function askNames() {
  const project3 = here.value.page === "projects" ? "" : here.value.project;
  const key = `${project3}
${at.value ?? ""}
${generation.value}`;
  if (key === asked) return;
  const same = asked.slice(0, asked.lastIndexOf("\n")) === key.slice(0, key.lastIndexOf("\n"));
  asked = key;
  control?.abort();
  if (!same) namesOf.value = void 0;
  if (project3 === "") return;
  const mine = new AbortController();
  control = mine;
  names(project3, at.value, mine.signal).then(
    (names2) => {
      namesOf.value = names2;
      namesError.value = void 0;
    },
    (error) => {
      if (mine.signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      if (error.status === 0) lost();
      else namesError.value = error;
    }
  );
}

// src/lazy.ts
var pages = y3(void 0);
var pagesFailed = y3(false);
function fetchPages() {
  import("./pages.js").then(
    (found) => {
      pages.value = found;
    },
    () => {
      pagesFailed.value = true;
    }
  );
}

// src/pure/characters.ts
var HIDDEN = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]|[\u{E0000}-\u{E0FFF}]|\p{Surrogate}/u;
function isPlain(text, lines = true) {
  return !HIDDEN.test(text) && (lines || !/[\n\t]/.test(text));
}
function pieces(text, lines = true) {
  const found = [];
  let plain = "";
  for (const character of text) {
    if (!isPlain(character, lines)) {
      if (plain !== "") found.push({ text: plain });
      plain = "";
      found.push({ text: character, escape: `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}` });
    } else {
      plain += character;
    }
  }
  if (plain !== "" || found.length === 0) found.push({ text: plain });
  return found;
}
var indentOf = (text) => /^ */.exec(text)[0];
function escaped(text) {
  if (isPlain(text)) return text;
  return pieces(text).map((piece) => piece.escape ?? piece.text).join("");
}
function whyNot(lines) {
  if (lines.some((line) => line.text.includes("�"))) return "bytes";
  return lines.some((line) => line.text.includes("******")) ? "hidden" : void 0;
}

// src/pure/runs.ts
function tellsOrigin(row, above) {
  const here2 = row?.origin;
  return Boolean(here2?.file) && (here2.file !== above?.origin?.file || here2.line !== above?.origin?.line);
}
function shortened(path, most) {
  if (path.length <= most) return path;
  const parts = path.split("/");
  const last = parts.pop();
  if (last.length + 2 >= most) return `…${last.slice(Math.max(0, last.length - most + 1))}`;
  let text = last;
  while (parts.length > 0 && parts.at(-1).length + text.length + 3 <= most) text = `${parts.pop()}/${text}`;
  return `…/${text}`;
}
function commonFolder(paths) {
  if (paths.length === 0) return "";
  let common = paths[0].slice(0, paths[0].lastIndexOf("/") + 1);
  for (const path of paths) {
    while (!path.startsWith(common)) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
  }
  return common;
}

// src/parts/code.tsx
var explained = y3(void 0);
function Code({ code }) {
  return a4("button", { type: "button", class: "link code error-code", title: T4.codeHow, onClick: () => (fetchPages(), explained.value = code), children: [
    "[",
    escaped(code),
    "]"
  ] });
}

// src/parts/show.tsx
function Text({ text, lines = true }) {
  if (isPlain(text, lines)) return a4($, { children: text });
  return a4($, { children: pieces(text, lines).map(
    (piece, index) => piece.escape ? a4("span", { class: "escape", children: piece.escape }, index) : piece.text
  ) });
}
var LONG = 4096;
var BEGINNING = 400;
var isSecret = (side) => side?.secret === true;
var SECRET = "******";
function valueText(side) {
  return isSecret(side) ? SECRET : side.value === void 0 ? "" : exactJson(side.value);
}
function ValueText({ side, most = LONG }) {
  const text = valueText(side);
  return a4("span", { class: "value", children: isSecret(side) ? a4($, { children: [
    SECRET,
    " ",
    a4(Sign, { name: "secret" })
  ] }) : a4(Text, { text: text.length > most ? `${text.slice(0, most === LONG ? BEGINNING : most - 1)}…` : text }) });
}
function Sign({ name, count }) {
  const sign = T4.signs[name];
  const words = typeof sign.words === "function" ? sign.words(count ?? 0) : sign.words;
  return a4("span", { class: `sign sign-${name}`, title: words, children: [
    a4("span", { "aria-hidden": "true", children: [
      sign.text,
      count
    ] }),
    a4("span", { class: "hidden", children: words })
  ] });
}
function FateSign({ fate }) {
  return a4("span", { class: `fate fate-${fate}`, children: [
    a4("span", { "aria-hidden": "true", children: T4.fateSigns[fate] }),
    " ",
    T4.fates[fate]
  ] });
}
function Link(props) {
  return a4(
    "a",
    {
      href: writeAddress(props.to),
      class: props.class,
      title: props.title,
      tabIndex: props.tabIndex,
      "aria-current": props.current ? "page" : void 0,
      "aria-label": props.label,
      onClick: (event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(props.to);
        props.onGo?.();
      },
      children: props.children
    }
  );
}
function isFile(place) {
  return typeof place?.file === "string" && !/^<.*>$/.test(place.file) && typeof place.line === "number";
}
function placeText(place, column = false) {
  const name = place.part === void 0 ? place.file : `${place.file} (${place.part})`;
  const line = typeof place.line === "number" ? `:${place.line}${column && typeof place.column === "number" ? `:${place.column}` : ""}` : "";
  return `${name ?? T4.noPlace}${line}`;
}
function PlaceText(props) {
  const { place, most = 60, folder = "" } = props;
  const whole = escaped(placeText(place, props.column));
  const short2 = shortened(folder !== "" && whole.startsWith(folder) ? whole.slice(folder.length) : whole, most);
  const isShort = short2 !== whole;
  const text = isShort ? a4($, { children: [
    a4("span", { "aria-hidden": "true", class: "place-parts", children: a4(Parts, { text: short2 }) }),
    a4("span", { class: "hidden", children: whole })
  ] }) : a4(Parts, { text: whole });
  if (!isFile(place)) return a4("span", { title: whole, class: "place", children: text });
  return a4(Link, { to: to("file", place.file, { line: String(place.line) }), class: "place", title: whole, ...isShort ? {} : { label: whole }, ...props.inGrid ? { tabIndex: -1 } : {}, children: text });
}
function FileLink({ file }) {
  return a4(Link, { to: to("file", file), class: "place", title: escaped(file), label: escaped(file), tabIndex: -1, children: a4(Parts, { text: escaped(file) }) });
}
function Parts({ text }) {
  const [, folder, name, line] = /^(.*\/)?([^/]*?)((?::\d+)*)$/.exec(text) ?? [text, "", text, ""];
  return a4($, { children: [
    folder && a4("span", { class: "place-folder", children: a4("bdi", { dir: "ltr", children: folder }) }),
    a4("span", { class: "place-name", children: name }),
    line && a4("span", { class: "place-line", children: line })
  ] });
}
function SeverityText({ severity }) {
  return a4("span", { class: `severity severity-${severity}`, children: T4.severities[severity] });
}
function DiagnosticText({ diagnostic, heading }) {
  return a4("div", { class: `diagnostic diagnostic-${diagnostic.severity}`, children: [
    heading && a4("strong", { children: [
      heading,
      " "
    ] }),
    a4("p", { children: [
      a4(SeverityText, { severity: diagnostic.severity }),
      " ",
      a4(Text, { text: diagnostic.message }),
      " ",
      a4(Code, { code: diagnostic.code })
    ] }),
    diagnostic.file !== null && a4("p", { children: a4(PlaceText, { place: diagnostic, column: true }) }),
    a4(Excerpt, { text: diagnostic.excerpt, column: diagnostic.column }),
    diagnostic.notes.map((note, index) => a4("div", { children: [
      a4("p", { children: [
        T4.note,
        " ",
        a4(Text, { text: note.message }),
        " ",
        note.file && a4(PlaceText, { place: { file: note.file, line: note.line ?? null, column: note.column ?? null }, column: true })
      ] }),
      a4(Excerpt, { text: note.excerpt ?? null, column: note.column ?? null })
    ] }, index)),
    diagnostic.hint && a4("p", { children: [
      T4.hint,
      " ",
      a4(Text, { text: diagnostic.hint })
    ] })
  ] });
}
function Excerpt({ text, column }) {
  if (text === null) return null;
  return a4("pre", { class: "excerpt", children: [
    a4(Text, { text }),
    column !== null && column <= text.length + 1 && a4("span", { "aria-hidden": "true", children: `
${text.slice(0, column - 1).replace(/[^\t]/g, " ")}^` })
  ] });
}
function RefusedText({ error, within = false }) {
  if (error.status === STOPPED) {
    return a4("p", { class: "empty", children: [
      T4.stopped,
      " ",
      a4("button", { type: "button", onClick: askAgain, children: T4.goOn })
    ] });
  }
  const heading = error.status === 403 ? T4.forbidden : error.status === 0 ? T4.noAnswer : void 0;
  return a4("div", { class: "refused", role: within ? void 0 : "alert", children: [
    heading && a4("p", { children: heading }),
    error.errors.length === 0 && error.status !== 0 && a4("p", { children: a4(Text, { text: error.message }) }),
    error.errors.map((diagnostic, index) => a4(DiagnosticText, { diagnostic }, index))
  ] });
}
function Empty({ children }) {
  return a4("p", { class: "empty", children });
}
function Loading({ label }) {
  const [slow, setSlow] = d2(false);
  A2(() => {
    const timer2 = setTimeout(() => setSlow(true), 1e3);
    return () => clearTimeout(timer2);
  }, []);
  return a4("div", { class: "loading", role: "status", "aria-label": label, children: [
    slow && a4(Under, { label }),
    [40, 64, 52, 70, 46, 58].map((width) => a4("span", { class: "bar", style: { width: `${width}%` } }, width))
  ] });
}
function Under({ label }) {
  const { project: name, query } = here.value;
  const words = T4.subjectWords(project.value);
  const mine = progress.value.filter((one) => one.project === name && one.at === (query.at ?? ""));
  return a4("p", { class: "under", "aria-live": "off", children: [
    label,
    mine.length > 0 && `: ${mine.map((one) => T4.progress(one.work, one.done, one.all, words)).join(", ")}`,
    " ",
    a4("button", { type: "button", onClick: stopWaiting, children: T4.stop })
  ] });
}
var MOST_TOLD = 200;
function Copy(props) {
  const [done, setDone] = d2(false);
  return a4(
    "button",
    {
      type: "button",
      class: props.class,
      disabled: props.disabled,
      onClick: () => {
        const text = typeof props.text === "string" ? props.text : props.text();
        void copy(text).then((copied) => {
          setDone(copied);
          told.value = !copied ? T4.notCopied : text.length > MOST_TOLD || text.includes("\n") ? T4.copied : T4.copiedPath(text);
          setTimeout(() => setDone(false), 2e3);
        });
      },
      children: done ? T4.copied : props.children
    }
  );
}
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    const before = document.activeElement;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}
function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
}

// src/pure/filter.ts
function parseFilter(text) {
  const filter = { words: [], without: [], facts: [] };
  for (const word of text.split(/\s+/)) {
    const fact = /^fact:([^=]+)=(.*)$/.exec(word);
    if (fact) {
      filter.facts.push([fact[1], fact[2]]);
    } else if (word.startsWith("-") && word.length > 1) {
      filter.without.push(word.slice(1).toLowerCase());
    } else if (word !== "") {
      filter.words.push(word.toLowerCase());
    }
  }
  return filter;
}
function fits(filter, small) {
  return filter.words.every((word) => small.includes(word)) && !filter.without.some((word) => small.includes(word));
}
function select(filter, small) {
  const found = [];
  for (let index = 0; index < small.length; index += 1) {
    if (fits(filter, small[index])) found.push(index);
  }
  return found;
}
function nearest(name, names2, count) {
  const wanted = name.toLowerCase();
  const scored = [];
  for (let index = 0; index < names2.length; index += 1) {
    const other = names2[index].toLowerCase();
    let begin2 = 0;
    while (begin2 < wanted.length && wanted[begin2] === other[begin2]) begin2 += 1;
    let end = 0;
    while (end < wanted.length - begin2 && wanted.at(-1 - end) === other.at(-1 - end)) end += 1;
    const shared = begin2 + end + (other.includes(wanted) ? wanted.length : 0);
    if (shared * 2 >= wanted.length) scored.push([shared * 2 - other.length, index]);
  }
  scored.sort((one, other) => other[0] - one[0] || one[1] - other[1]);
  return scored.slice(0, count).map(([, index]) => names2[index]);
}

// src/parts/page.tsx
function Heading(props) {
  const name = here.value.project;
  A2(() => {
    document.title = [escaped(props.title), name, "strata"].filter((one, index, all) => one !== "" && all.indexOf(one) === index).join(" · ");
  }, [props.title, name]);
  const folder = props.path ? props.title.lastIndexOf("/") + 1 : 0;
  return a4("div", { class: "heading", children: [
    a4("nav", { "aria-label": T4.breadcrumb, class: "crumbs", children: props.crumbs?.map((crumb) => a4("span", { children: [
      a4(Link, { to: crumb.to, children: crumb.text }),
      a4("span", { "aria-hidden": "true", children: " › " })
    ] }, crumb.text)) }),
    a4("h1", { children: [
      folder > 0 && a4("span", { class: "folder", children: a4(Text, { text: props.title.slice(0, folder), lines: false }) }),
      a4(Text, { text: props.title.slice(folder), lines: false })
    ] }),
    props.children
  ] });
}
function FilterBox(props) {
  const box = T2(null);
  A2(() => onKey({ f: () => box.current?.focus() }), []);
  return a4(
    "input",
    {
      ref: box,
      id: props.id,
      class: "filter",
      type: "search",
      autocomplete: "off",
      spellcheck: false,
      "aria-label": props.label,
      placeholder: props.placeholder ?? props.label,
      value: props.value,
      onInput: (event) => props.onValue(event.currentTarget.value),
      onKeyDown: (event) => {
        if (event.key === "ArrowDown") {
          event.preventDefault();
          focusFirstGrid();
        }
      }
    }
  );
}
function useHits(count) {
  A2(() => {
    if (count === void 0) return void 0;
    const text = T4.hits(count);
    const timer2 = setTimeout(() => {
      told.value = text;
    }, 1e3);
    return () => {
      clearTimeout(timer2);
      if (told.value === text) told.value = "";
    };
  }, [count]);
}
function SubjectFacts({ subject }) {
  const { project: name } = here.value;
  const answer = useAnswer(JSON.stringify([name, at.value, subject, "facts"]), (signal) => subjects(name, at.value, [subject], signal));
  const facts = Object.entries(answer.value?.subjects.find((one) => one.name === subject)?.facts ?? {});
  if (facts.length === 0 && !project.value?.assumed) return null;
  return a4("p", { class: "facts", children: [
    facts.map(([fact, value]) => a4("span", { class: "fact", children: [
      a4(Text, { text: plainKey(fact), lines: false }),
      " ",
      a4("b", { children: typeof value === "string" ? a4(Text, { text: value, lines: false }) : valueText({ value }) })
    ] }, fact)),
    project.value?.assumed && a4("span", { class: "quiet", children: T4.assumed(T4.subjectWords(project.value)) })
  ] });
}
function Unknown(props) {
  const isRevision = props.error.errors[0]?.code.startsWith("git.") === true;
  const isSaid = /^explore\.(subject|file|project)$/.test(props.error.errors[0]?.code ?? "");
  const near = isRevision ? [] : nearest(props.name, props.near, 5);
  return a4($, { children: [
    a4(Heading, { title: props.name }),
    a4("div", { class: "refused", role: "alert", children: [
      a4("p", { children: isRevision ? a4($, { children: [
        T4.noSuchRevision,
        " ",
        a4("b", { class: "code", children: escaped([at.value, here.value.query.against].filter((one) => one !== void 0).join(", ")) })
      ] }) : a4($, { children: [
        T4.thereIsNo(props.what),
        " ",
        a4("b", { class: "code", children: escaped(props.name) }),
        " ",
        at.value ? T4.asOf(escaped(at.value)) : ""
      ] }) }),
      near.length > 0 && a4("p", { children: [
        T4.near,
        " ",
        near.map((one) => a4("span", { children: [
          a4(Link, { to: props.page === "projects" ? { ...to("projects"), page: "overview", project: one } : to(props.page, one), children: a4(Text, { text: one, lines: false }) }),
          " "
        ] }, one))
      ] }),
      isSaid && near.length === 0 && props.error.errors[0].hint && a4("p", { children: [
        T4.hint,
        " ",
        a4(Text, { text: props.error.errors[0].hint })
      ] }),
      !isSaid && props.error.errors.length > 0 && a4(RefusedText, { error: props.error, within: true })
    ] })
  ] });
}

// src/parts/bar.tsx
function Bar({ leaves, seen, never, dead }) {
  if (leaves === 0) return a4("span", { class: "quiet", children: T4.noLeavesOfOwn });
  const part2 = (count) => `${leaves === 0 ? 0 : Math.min(100, 100 * count / leaves)}%`;
  const useful = Math.max(0, seen - dead);
  return a4("span", { class: "bar-with-text", title: T4.barTitle(leaves, seen, never, dead), children: [
    a4("span", { class: "bar-of", "aria-hidden": "true", children: [
      a4("span", { class: "bar-seen", style: { width: part2(useful) } }),
      a4("span", { class: "bar-dead", style: { width: part2(dead) } }),
      a4("span", { class: "bar-never", style: { width: part2(leaves - seen) } })
    ] }),
    a4("span", { children: T4.seenOf(seen, leaves) })
  ] });
}

// src/parts/layers.ts
var layerNames = y3([]);
var project2 = "";
function learnLayers(of, names2) {
  const all = of === project2 ? [...layerNames.value] : [];
  project2 = of;
  let place = all.length;
  for (const name of [...names2].reverse()) {
    const known = all.indexOf(name);
    if (known < 0) all.splice(place, 0, name);
    else place = known;
  }
  if (all.join("\n") !== layerNames.value.join("\n")) layerNames.value = all;
}
var LEVEL = /^(.*) \((.*)\)$/;
var layerColour = ({ colour }) => colour === void 0 ? "" : `layer-${colour}`;
function layerShort(place) {
  const layer = place.level ?? place.layer;
  if (!layer) return "";
  const [, level, folder] = LEVEL.exec(layer) ?? [];
  if (folder !== void 0) return `${level} (${folder.slice(commonFolder(layerNames.value.flatMap((one) => one.startsWith(`${level} (`) ? [one.slice(level.length + 2)] : [])).length)})`;
  const last = layer.slice(layer.lastIndexOf("/") + 1);
  return last.replace(/\.(ya?ml|json|eyaml|conf|cfg)$/, "") || layer;
}

// src/parts/revision.tsx
function RevisionPicker(props) {
  const { label, value, none } = props;
  const [open, setOpen] = d2(false);
  const Dialog = pages.value?.RevisionDialog;
  return a4($, { children: [
    a4("button", { type: "button", class: "picker", onClick: () => (fetchPages(), setOpen(true)), "aria-haspopup": "dialog", children: [
      a4("span", { class: "quiet", children: label }),
      " ",
      a4(Text, { text: short(value ?? none), lines: false }),
      " ",
      a4("span", { "aria-hidden": "true", children: "▾" })
    ] }),
    open && Dialog && a4(Dialog, { ...props, onClose: () => setOpen(false) })
  ] });
}
var short = (revision) => /^[0-9a-f]{20,64}$/.test(revision) ? revision.slice(0, 8) : revision;

// src/pure/window.ts
var ROW = 24;
var MOST = 8e6;
var BEYOND = 6;
function windowAt(rows2, view, scrollTop, row = ROW) {
  const real = rows2 * row;
  const height = Math.min(real, MOST);
  const scale = real > MOST ? (real - view) / Math.max(1, height - view) : 1;
  const seen = Math.max(0, Math.min(scrollTop * scale, real - view));
  const first2 = Math.max(0, Math.min(rows2, Math.floor(seen / row) - BEYOND));
  const last = Math.min(rows2, Math.ceil((seen + view) / row) + BEYOND);
  return { height, first: first2, last, top: scrollTop - (seen - first2 * row) };
}
function scrollTo(row, rows2, view, scrollTop, rowHeight = ROW) {
  const real = rows2 * rowHeight;
  const height = Math.min(real, MOST);
  const scale = real > MOST ? (real - view) / Math.max(1, height - view) : 1;
  const seen = scrollTop * scale;
  let wanted = seen;
  if (row * rowHeight < seen) wanted = row * rowHeight;
  else if ((row + 1) * rowHeight > seen + view) wanted = (row + 1) * rowHeight - view;
  return Math.max(0, wanted / scale);
}

// src/parts/grid.tsx
var heightOf = (row) => row?.getBoundingClientRect().height || ROW;
function focusGrid(id) {
  document.getElementById(id)?.focus({ preventScroll: true });
}
var UNKNOWN = { view: 600, height: ROW };
function Grid(props) {
  const { id, count, current, columns } = props;
  const box = T2(null);
  const head = T2(null);
  const [size, setSize] = d2(UNKNOWN);
  const { view, height } = size;
  const [, redraw] = d2(0);
  const scroll = T2(0);
  F2(() => {
    const element = box.current;
    const measure = () => {
      const row = heightOf(head.current);
      const seen2 = Math.max(row, element.clientHeight - row);
      setSize((old) => old !== UNKNOWN && old.view === seen2 && old.height === row ? old : { view: seen2, height: row });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(head.current);
    return () => observer.disconnect();
  }, []);
  const shown = T2("");
  const shows = `${current} ${count > current} ${size === UNKNOWN} ${height}`;
  const moves = T2(false);
  if (shown.current !== shows && current >= 0 && current < count) {
    const wanted = scrollTo(current, count, view, scroll.current, height);
    moves.current ||= wanted !== scroll.current;
    scroll.current = wanted;
  }
  shown.current = shows;
  F2(() => {
    if (moves.current) box.current.scrollTop = scroll.current;
    moves.current = false;
  });
  const seen = windowAt(count, view, scroll.current, height);
  A2(() => props.onView?.(seen.first, seen.last), [seen.first, seen.last, count]);
  const move = (row) => {
    if (count > 0) props.onCurrent(Math.max(0, Math.min(count - 1, row)));
  };
  const page = Math.max(1, Math.floor(view / height) - 1);
  const onKeyDown = (event) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const state = current >= 0 ? props.state?.(current) ?? {} : {};
    switch (event.key) {
      case "ArrowDown":
        move(current + 1);
        break;
      case "ArrowUp":
        move(current < 0 ? 0 : current - 1);
        break;
      case "Home":
        move(0);
        break;
      case "End":
        move(count - 1);
        break;
      case "PageDown":
        move(current + page);
        break;
      case "PageUp":
        move(current - page);
        break;
      case "ArrowRight":
        if (!props.tree) return;
        if (state.expanded === false) props.onFold?.(current);
        else if (state.expanded === true) move(current + 1);
        break;
      case "ArrowLeft":
        if (!props.tree) return;
        if (state.expanded === true) props.onFold?.(current);
        else props.onParent?.(current);
        break;
      case "Enter":
        if (current < 0 || !props.onOpen) return;
        props.onOpen(current);
        break;
      case " ":
        if (current < 0 || !props.onSpace) return;
        props.onSpace(current);
        break;
      case "Escape":
        if (!props.onEscape) return;
        props.onEscape();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const template = columns.map((column) => column.width).join(" ");
  const least = `${props.least ?? 40}ch`;
  const drawn = T2({ cells: props.cells, rows: /* @__PURE__ */ new Map() });
  const before = drawn.current.cells === props.cells ? drawn.current.rows : void 0;
  const rows2 = /* @__PURE__ */ new Map();
  for (let row = seen.first; row < seen.last; row += 1) {
    const state = props.state?.(row) ?? {};
    const top = seen.top + (row - seen.first) * height;
    const name = JSON.stringify([row, row === current, top, template, props.multiple, state]);
    rows2.set(name, before?.get(name) ?? oneRow(props, row, state, top, template));
  }
  drawn.current = { cells: props.cells, rows: rows2 };
  return a4(
    "div",
    {
      id,
      ref: box,
      class: "grid",
      role: props.tree ? "treegrid" : "grid",
      tabIndex: 0,
      "aria-label": props.label,
      "aria-rowcount": count + 1,
      "aria-colcount": columns.length,
      "aria-activedescendant": current >= seen.first && current < seen.last ? `${id}-${current}` : void 0,
      "aria-multiselectable": props.multiple ? true : void 0,
      "aria-busy": props.busy ? true : void 0,
      onKeyDown,
      onFocus: () => {
        if (current < 0 && count > 0 && box.current?.matches(":focus-visible")) props.onCurrent(seen.first === 0 ? 0 : seen.first);
      },
      onScroll: (event) => {
        const now = event.currentTarget.scrollTop;
        if (Math.abs(now - scroll.current) < 1) return;
        scroll.current = now;
        redraw(now);
      },
      children: [
        a4("div", { role: "rowgroup", ref: head, class: "grid-head", style: { minWidth: least }, children: a4("div", { role: "row", "aria-rowindex": 1, class: "row", style: { gridTemplateColumns: template }, children: columns.map((column) => a4("div", { role: "columnheader", class: `cell ${column.class ?? ""}`, children: column.name }, column.id ?? column.name)) }) }),
        a4(
          "div",
          {
            role: "rowgroup",
            class: "grid-body",
            style: { height: `${seen.height}px`, minWidth: least },
            onPointerDown: (event) => {
              const row = rowOf(event);
              if (row !== void 0) props.onPress?.(row);
            },
            onClick: (event) => {
              const row = rowOf(event);
              if (row === void 0) return;
              props.onCurrent(row);
              if (getSelection()?.isCollapsed !== false) props.onOpen?.(row);
            },
            children: [...rows2.values()]
          }
        )
      ]
    }
  );
}
function rowOf(event) {
  const target2 = event.target;
  const row = target2.closest("a, button, input") ? null : target2.closest("[role=row]");
  return row ? Number(row.getAttribute("aria-rowindex")) - 2 : void 0;
}
function oneRow({ id, columns, cells, current, multiple }, row, state, top, template) {
  return a4(
    "div",
    {
      role: "row",
      id: `${id}-${row}`,
      "aria-rowindex": row + 2,
      "aria-level": state.level,
      "aria-expanded": state.expanded,
      "aria-selected": multiple ? Boolean(state.selected) : row === current,
      class: `row ${row === current ? "current" : ""} ${state.class ?? ""}`,
      style: { top: `${top}px`, gridTemplateColumns: template },
      children: cells(row)?.map((cell, index) => a4("div", { role: "gridcell", class: `cell ${columns[index].class ?? ""}`, children: cell }, index)) ?? columns.map((column, index) => a4("div", { role: "gridcell", class: "cell", children: index < 2 && a4("span", { class: "bar", children: " " }) }, column.id ?? column.name))
    },
    row
  );
}

// src/whatif/drafts.ts
var STORED = "strata.drafts";
function read2() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "{}");
  } catch {
    return {};
  }
}
var drafts = y3(read2());
drafts.subscribe((value) => {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(value));
  } catch {
  }
});
var replaced = y3(0);
function setDrafts(project3, files) {
  drafts.value = { ...drafts.value, [project3]: files };
  replaced.value += 1;
}
function draftOf(project3, path, base, text) {
  const old = drafts.value[project3] ?? {};
  const rest = Object.fromEntries(Object.entries(old).filter(([name]) => name !== path));
  const from = old[path] ?? { from: base.sha256, base: base.text };
  drafts.value = { ...drafts.value, [project3]: text === from.base ? rest : { ...rest, [path]: { from: from.from, base: from.base, text } } };
}

export {
  $,
  Q,
  d2 as d,
  A2 as A,
  T2 as T,
  w2 as w,
  b,
  O,
  x2 as x,
  address,
  writeAddress,
  exactNumber,
  parseExact,
  exactKey,
  plainKey,
  Refused,
  target,
  projectPath,
  part,
  subjectPart,
  ask,
  forget,
  get,
  projects,
  overview,
  facets,
  subjects,
  rows,
  leafPath,
  leafQuery,
  expectLeaf,
  search,
  openSession,
  number,
  many,
  counted,
  T4 as T2,
  a4 as a,
  Bar,
  tellsOrigin,
  shortened,
  commonFolder,
  layerNames,
  learnLayers,
  layerColour,
  layerShort,
  parseFilter,
  fits,
  select,
  indentOf,
  escaped,
  whyNot,
  here,
  unknownParts,
  at,
  told,
  go,
  replace,
  refine,
  turn,
  to,
  theme,
  singleKeys,
  connection,
  signedOut,
  generation,
  changed,
  work,
  begin,
  counted2,
  projects2,
  project,
  checksStates,
  connect,
  lost,
  askAgain,
  useAnswer,
  useSettled,
  useTyped,
  useMiss,
  useLatest,
  onKey,
  useShown,
  focusFirstGrid,
  keepFocus,
  RevisionPicker,
  focusGrid,
  Grid,
  drafts,
  replaced,
  setDrafts,
  draftOf,
  namesOf,
  smallNames,
  namesError,
  askNames,
  pages,
  pagesFailed,
  fetchPages,
  explained,
  Code,
  Text,
  LONG,
  BEGINNING,
  isSecret,
  valueText,
  ValueText,
  Sign,
  FateSign,
  Link,
  isFile,
  placeText,
  PlaceText,
  FileLink,
  SeverityText,
  DiagnosticText,
  RefusedText,
  Empty,
  Loading,
  Copy,
  copy,
  download,
  Heading,
  FilterBox,
  useHits,
  SubjectFacts,
  Unknown
};
