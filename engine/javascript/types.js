// Prints the faults of the types of `source`, a program in TypeScript, one on each line. `files` are declarations.

function check(source, files, most) {
  const texts = { ...files, "/main.ts": source };
  const host = {
    fileExists: (name) => name in texts,
    readFile: (name) => texts[name],
    getSourceFile: (name, options) => (name in texts ? ts.createSourceFile(name, texts[name], options) : undefined),
    getDefaultLibFileName: () => "/lib.es2023.d.ts",
    getDefaultLibLocation: () => "/",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    getDirectories: () => [],
    getNewLine: () => "\n",
    directoryExists: () => true,
    useCaseSensitiveFileNames: () => true,
    writeFile: () => {},
  };
  const options = { lib: ["lib.es2023.d.ts"], target: ts.ScriptTarget.ES2023, strict: true, noEmit: true, types: [] };
  const program = ts.createProgram(["/main.ts", "/bot.d.ts"], options, host);
  const faults = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
  for (const { file, start, code, messageText } of faults.slice(0, most)) {
    const { line, character } = file ? file.getLineAndCharacterOfPosition(start) : { line: 0, character: 0 };
    const text = ts.flattenDiagnosticMessageText(messageText, " ");
    print(`${file?.fileName.slice(1) ?? "main.ts"}:${line + 1}:${character + 1}: warning TS${code}: ${text}`);
  }
  if (faults.length > most) print(`${faults.length - most} further warnings are not listed.`);
}
