// SPDX-License-Identifier: Apache-2.0
// The editor of a draft: CodeMirror, in a shadow root, so that its styles pass the content policy. A bundle of its own, loaded when a draft is opened.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Editor, EditorMark, EditorOptions } from "./editor-types.ts";

// What the packages draw as `data:` images is drawn as text: the content policy refuses the images.
const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--field)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--code)", fontSize: "var(--code-size)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", borderRight: "1px solid var(--border)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--current)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-panels input, .cm-panels button": { backgroundImage: "none", backgroundColor: "var(--field)", color: "var(--text)", border: "1px solid var(--border-strong)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--border-strong)" },
  ".cm-lintRange": { backgroundImage: "none", textDecorationLine: "underline", textDecorationStyle: "wavy", textUnderlineOffset: "3px" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecorationColor: "var(--error)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecorationColor: "var(--warning)" },
  ".cm-lintRange-info, .cm-lintRange-hint": { backgroundImage: "none", textDecorationColor: "var(--link)" },
  ".cm-lintRange-active": { backgroundColor: "var(--selection)" },
  ".cm-lint-marker": { width: "1.2em", height: "1.2em", textAlign: "center", fontWeight: "bold" },
  ".cm-lint-marker-error": { content: '"✕"', color: "var(--error)" },
  ".cm-lint-marker-warning": { content: '"!"', color: "var(--warning)" },
  ".cm-lint-marker-info": { content: '"i"', color: "var(--link)" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--error)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warning)" },
  ".cm-diagnostic-info": { borderLeft: "4px solid var(--link)" },
  ".cm-specialChar": { color: "var(--error)", border: "1px solid var(--error)", borderRadius: "3px", padding: "0 2px" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.string, tags.content], color: "var(--text)" },
  { tag: [tags.keyword, tags.atom, tags.labelName, tags.typeName, tags.meta], color: "var(--link)" },
]);

// Chromium keeps the look of what is typed over by an inline style, which the content policy refuses with a complaint: the editor does it itself.
const typesOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || event.data === null || view.composing || view.state.selection.ranges.every((range) => range.empty)) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

export function createEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  root.replaceChildren();
  let silent = false;
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        // The page writes hidden characters as boxed numbers, too.
        highlightSpecialChars({ render: (code) => box(code) }),
        bracketMatching(),
        indentOnInput(),
        indentUnit.of("  "),
        search({ top: true }),
        options.yaml ? yaml() : [],
        syntaxHighlighting(colours),
        keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
        EditorState.readOnly.of(!options.editable),
        // Files keep their line breaks: only line feeds are some, and what stands before one belongs to the line.
        EditorState.lineSeparator.of("\n"),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !silent) options.onChange(update.state.doc.toString());
        }),
        typesOver,
        look,
      ],
    }),
  });
  return {
    setText(text) {
      if (text === view.state.doc.toString()) return;
      silent = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      silent = false;
    },
    setMarks(marks) {
      view.dispatch(setDiagnostics(view.state, marks.flatMap((mark) => placed(view.state.doc, mark))));
    },
    goTo(line) {
      const at = view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, line)));
      view.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function box(code: number): HTMLElement {
  const element = document.createElement("span");
  element.className = "cm-specialChar";
  element.textContent = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return element;
}

function placed(text: Text, mark: EditorMark): Diagnostic[] {
  if (mark.line < 1 || mark.line > text.lines) return [];
  const line = text.line(mark.line);
  // Columns count code points, the editor UTF-16 units.
  const before = mark.column === undefined ? /^\s*/.exec(line.text)![0].length : [...line.text].slice(0, mark.column - 1).join("").length;
  const from = Math.min(line.to, line.from + before);
  return [{ from, to: line.to, severity: mark.severity, message: mark.message }];
}
