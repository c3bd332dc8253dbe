package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.MenuCommand;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the commands of a bot, by scope and language. Best effort: the bot works without them.
 *
 * @see <a href="https://core.telegram.org/bots/api#setmycommands">setMyCommands</a>
 */
final class TelegramMenu {
    private static final Logger LOG = LoggerFactory.getLogger(TelegramMenu.class);
    /** Commands that are useful in groups. */
    private static final Set<String> IN_GROUPS = Set.of("help", "new", "stop", "undo", "status");

    private static final String GROUPS = "all_group_chats";
    private static final String MARK = "is_ephemeral";

    private TelegramMenu() {}

    /** Registers the commands. */
    static void register(BotApi api, ConfiguredBot bot) {
        List<MenuCommand> all = bot.commands();
        List<MenuCommand> inGroups = bot.groups() == Groups.OFF
                ? List.of()
                : all.stream()
                        .filter(command -> IN_GROUPS.contains(command.name()))
                        .toList();
        try {
            for (String language : languages(all)) {
                set(api, "default", language, all);
                set(api, "all_private_chats", language, all);
                set(api, GROUPS, language, inGroups);
            }
            ObjectNode button = BotApi.params();
            button.putObject("menu_button").put("type", "commands");
            api.call("setChatMenuButton", button);
        } catch (BotApiException e) {
            LOG.atWarn()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("commands of the bot could not be registered");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the server keeps which commands are private; one before Bot API 10.2 ignores it. */
    static boolean keepsPrivateCommands(BotApi api) throws BotApiException, InterruptedException {
        ObjectNode params = BotApi.params();
        params.putObject("scope").put("type", GROUPS);
        return api.call("getMyCommands", params).findValues(MARK).stream().anyMatch(JsonNode::asBoolean);
    }

    /** The empty language is the default. */
    private static Set<String> languages(List<MenuCommand> commands) {
        return commands.stream()
                .flatMap(command -> command.descriptions().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void set(BotApi api, String scope, String language, List<MenuCommand> commands)
            throws BotApiException, InterruptedException {
        ObjectNode params = BotApi.params();
        params.putObject("scope").put("type", scope);
        if (!language.isEmpty()) {
            params.put("language_code", language);
        }
        if (commands.isEmpty()) {
            api.call("deleteMyCommands", params);
            return;
        }
        var list = params.putArray("commands");
        for (MenuCommand command : commands) {
            ObjectNode entry =
                    list.addObject().put("command", command.name()).put("description", command.description(language));
            if (scope.equals(GROUPS) && command.alone()) {
                entry.put(MARK, true);
            }
        }
        try {
            api.call("setMyCommands", params);
        } catch (BotApiException e) {
            if (e.code() != 400 || list.findValue(MARK) == null) {
                throw e;
            }
            list.forEach(entry -> ((ObjectNode) entry).remove(MARK));
            api.call("setMyCommands", params);
        }
    }
}
