import { command } from "../command.ts";
import { SHELLS, script } from "../completion.ts";
import { choice } from "../options.ts";

export default command({
  summary: "Print a script that completes commands and options in a shell",
  args: { shell: choice("which shell", SHELLS) },
  examples: [
    ['eval "$(edgeboard completion bash)"', "in ~/.bashrc"],
    ['eval "$(edgeboard completion zsh)"', "in ~/.zshrc, after compinit"],
    ["edgeboard completion fish > ~/.config/fish/completions/edgeboard.fish", "once"],
  ],
  async run({ commands, output }, { shell }) {
    const text = script(shell, await commands());
    await output.answer({ shell, script: text }, () => text);
  },
});
