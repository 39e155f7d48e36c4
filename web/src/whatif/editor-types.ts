// SPDX-License-Identifier: Apache-2.0
// What the page and the editor agree on: the editor is a bundle of its own.
export interface EditorMark {
  line: number;
  column?: number;
  severity: "error" | "warning" | "info";
  message: string;
}

export interface EditorOptions {
  text: string;
  label: string;
  editable: boolean;
  yaml: boolean;
  onChange: (text: string) => void;
}

export interface Editor {
  setText(text: string): void;
  setMarks(marks: readonly EditorMark[]): void;
  goTo(line: number): void;
  focus(): void;
  destroy(): void;
}
