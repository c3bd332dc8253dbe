package dev.parley.channels.slack;

import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.ConfiguredBot;
import java.util.List;
import java.util.Map;

/**
 * Settings of a bot that only Slack has.
 *
 * @param agentView how private chats are read
 * @param prompts suggested to people who open the chat; at most four
 */
record SlackSettings(AgentView agentView, List<Prompt> prompts) {
    static final String AGENT_VIEW = "agentView";
    static final String PROMPTS = "suggestedPrompts";

    private static final int MAX_PROMPTS = 4;
    private static final int MAX_TITLE = 75;
    private static final int MAX_MESSAGE = 2_000;

    SlackSettings {
        prompts = List.copyOf(prompts);
    }

    /** Whether the app is declared with {@code agent_view}, so that each message in private begins a thread. */
    enum AgentView {
        YES,
        NO,
        /** Where Slack adds the context of the app to messages, which it does for such apps alone. */
        AS_DELIVERED
    }

    /** A suggestion: what its button says, and what it sends. */
    record Prompt(String title, String message) {}

    /** @throws IllegalArgumentException for invalid settings; the message is for operators */
    static SlackSettings of(ConfiguredBot bot) {
        Map<String, String> settings = bot.settings();
        AgentView view = switch (settings.getOrDefault(AGENT_VIEW, "")) {
            case "true" -> AgentView.YES;
            case "false" -> AgentView.NO;
            case "" -> AgentView.AS_DELIVERED;
            default -> throw new IllegalArgumentException("its setting 'agentView' is true or false");
        };
        List<Prompt> prompts = settings.getOrDefault(PROMPTS, "")
                .lines()
                .filter(line -> !line.isBlank())
                .map(SlackSettings::prompt)
                .toList();
        if (prompts.size() > MAX_PROMPTS) {
            throw new IllegalArgumentException("its setting 'suggestedPrompts' has more than four lines");
        }
        return new SlackSettings(view, prompts);
    }

    /** A line: {@code title | message}, or a message that is its own title. */
    private static Prompt prompt(String line) {
        int border = line.indexOf('|');
        String title = (border < 0 ? line : line.substring(0, border)).strip();
        String message = line.substring(border + 1).strip();
        if (title.isEmpty() || message.isEmpty() || message.length() > MAX_MESSAGE) {
            throw new IllegalArgumentException(
                    "a line of its setting 'suggestedPrompts' is a message of at most 2,000 characters, or 'title | message'");
        }
        return new Prompt(ClippedText.of(title, MAX_TITLE - 1), message);
    }
}
