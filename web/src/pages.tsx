// SPDX-License-Identifier: Apache-2.0
// The pages that are not the first to be opened: a bundle of their own, fetched when the first one stands.
export { CodeHelp } from "./parts/code-help.tsx";
export { ComparePage } from "./compare/page.tsx";
export { FilePage, FilesPage } from "./file/page.tsx";
export { FindingsPage } from "./findings/page.tsx";
export { Help } from "./parts/help.tsx";
export { Inspector } from "./result/inspector.tsx";
export { MatrixPage } from "./matrix/page.tsx";
export { PlainText } from "./result/plain.tsx";
export { RevisionDialog } from "./parts/revision-dialog.tsx";
export { groupsOf, ownHits, SearchHits } from "./search/hits.tsx";
export { SearchPage } from "./search/all.tsx";
export { WhatIfPage } from "./whatif/page.tsx";
