// Prints the JavaScript of `source`, a program in TypeScript, line by line. Without it, its first fault is on the log.

function fault(line, column, message) {
  console.log(`main.ts:${line}:${column}: error: ${message}`);
}

function transpile(source) {
  let code;
  try {
    code = sucrase.transform(source, { transforms: ["typescript"], disableESTransforms: true }).code;
  } catch (error) {
    const { line, column } = error.loc ?? { line: 1, column: 1 };
    return fault(line, column, error.message.replace(/ \(\d+:\d+\)$/, ""));
  }
  try {
    // The interpreter reads all of the program, and runs its first word only.
    (0, eval)(`throw null;${code}`);
  } catch (error) {
    if (error === null) return print(code);
    const [, line, column] = /<input>:(\d+):(\d+)/.exec(error.stack) ?? [null, 1, 1];
    fault(line, column, error.message);
  }
}
