// Starts `unfork lsp` for the folder that is open, and starts it again when its settings change.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SETTINGS = "unfork";
const INSTALL = "pip install 'unfork[lsp]'";

let client;

/** The words that start the server, by the settings. */
function serverWords(folder) {
  const settings = vscode.workspace.getConfiguration(SETTINGS, folder);
  return { command: settings.get("path"), args: ["lsp", ...settings.get("arguments")] };
}

/** A client of a server that runs in the first folder of the window. */
function makeClient() {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const { command, args } = serverWords(folder);
  const options = folder === undefined ? {} : { cwd: folder.uri.fsPath };
  const documents = ["c", "cpp"].map((language) => ({ scheme: "file", language }));
  return new LanguageClient(
    SETTINGS,
    "unfork",
    { command, args, options },
    { documentSelector: documents, workspaceFolder: folder },
  );
}

async function start() {
  client = makeClient();
  try {
    await client.start();
  } catch (problem) {
    client = undefined;
    const said = `unfork lsp did not start (${problem.message}). ${INSTALL}, or set unfork.path.`;
    const chosen = await vscode.window.showErrorMessage(said, "Open settings");
    if (chosen !== undefined) {
      await vscode.commands.executeCommand("workbench.action.openSettings", `${SETTINGS}.path`);
    }
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

/** One after the other, so that no two servers run. */
let last = Promise.resolve();
function restart() {
  last = last.then(stop).then(start);
  return last;
}

function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("unfork.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS)) {
        restart();
      }
    }),
  );
  return restart();
}

function deactivate() {
  return last.then(stop);
}

module.exports = { activate, deactivate };
