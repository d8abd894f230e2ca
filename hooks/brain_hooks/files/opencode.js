// @MADE@
//
// Hands OpenCode's events to brain-hook and puts in what it answers. It never throws, never prints, and waits for no
// answer longer than SECONDS: a session goes on without memory where anything is broken.
import { spawn } from "node:child_process"

const COMMAND = "@COMMAND@"
const SECONDS = 10
const MOST_BYTES = 1 << 20
const MOST_TOLD = 400
const MOST_OUTPUT = 4000

function ask(event, payload, directory) {
  return new Promise((resolve) => {
    let out = ""
    let child
    const timer = setTimeout(() => {
      child?.kill()
      resolve({})
    }, SECONDS * 1000)
    const done = (answer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    try {
      child = spawn(COMMAND[0], [...COMMAND.slice(1), event], {
        cwd: directory,
        detached: event === "session.idle", // what was learned is kept, though the session ends meanwhile
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      })
      child.on("error", () => done({}))
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (chunk) => {
        if (out.length < MOST_BYTES) out += chunk
      })
      child.on("close", () => {
        try {
          done(JSON.parse(out))
        } catch {
          done({})
        }
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ ...payload, directory }))
    } catch {
      done({})
    }
  })
}

export const ProjectBrain = async ({ directory, client }) => {
  const starts = new Map() // session → its text: the system prompt is made anew for each request, titles included
  const children = new Set()
  const heard = new Map() // session → what was said and done since it last rested: no hook names a transcript

  const start = (input) => {
    if (!starts.has(input.sessionID)) {
      starts.set(input.sessionID, ask("experimental.chat.system.transform", { input }, directory))
    }
    return starts.get(input.sessionID)
  }

  const hear = (session, told) => {
    heard.set(session, [...(heard.get(session) ?? []), told].slice(-MOST_TOLD))
  }

  const rest = async (session) => {
    const told = heard.get(session)
    heard.delete(session)
    if (!told || children.has(session)) return
    const { ask: text } = await ask("session.idle", { input: { sessionID: session }, told }, directory)
    if (text) await client.session.promptAsync({ path: { id: session }, body: { parts: [{ type: "text", text }] } })
  }

  return {
    event: async ({ event }) => {
      const session = event?.properties?.info
      if (event?.type === "session.created" && session?.parentID) children.add(session.id)
      if (event?.type === "session.deleted") starts.delete(session?.id)
      if (event?.type === "session.idle") await rest(event.properties?.sessionID).catch(() => {})
    },
    "experimental.chat.system.transform": async (input, output) => {
      if (!input?.sessionID || children.has(input.sessionID)) return
      const { text } = await start(input)
      if (text) output.system.push(text)
    },
    "chat.message": async (input, output) => {
      const words = output?.parts?.filter((part) => part.type === "text" && !part.synthetic) ?? []
      if (!words.length || children.has(input?.sessionID)) return
      hear(input?.sessionID, { person: words.map((part) => part.text).join("\n") })
      await start(input) // so that what it tells is not offered once more
      const { text } = await ask("chat.message", { input, output: { parts: words } }, directory)
      const last = words[words.length - 1]
      if (text) output.parts.push({ ...last, id: `${last.id}0`, text, synthetic: true }) // not shown as the person's
    },
    "tool.execute.after": async (input, output) => {
      if (children.has(input?.sessionID)) return
      const { filePath, command } = input?.args ?? {} // not what a file was filled with
      const said = typeof output?.output === "string" ? output.output : ""
      const kept = { output: said.slice(-MOST_OUTPUT), metadata: { exit: output?.metadata?.exit } }
      hear(input?.sessionID, { input: { tool: input?.tool, args: { filePath, command } }, output: kept })
      if (!["read", "edit", "write"].includes(input?.tool)) return
      const { text } = await ask("tool.execute.after", { input }, directory)
      if (text && typeof output?.output === "string") output.output += "\n\n" + text
    },
    "experimental.text.complete": async (input, output) => {
      if (output?.text) hear(input?.sessionID, { assistant: output.text })
    },
  }
}
