package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.BotTexts;
import dev.parley.channels.chat.ChatCommands;
import dev.parley.platform.config.BotConfig;
import java.util.List;
import java.util.stream.Stream;
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
    private static final List<String> IN_GROUPS = List.of("help", "new", "stop", "undo", "status");

    private TelegramMenu() {}

    /** Registers the commands. */
    static void register(BotApi api, BotConfig bot) {
        try {
            for (String language : languages()) {
                set(api, "default", language, ChatCommands.ALL);
                set(api, "all_private_chats", language, ChatCommands.ALL);
                set(api, "all_group_chats", language, bot.groups() == BotConfig.Groups.OFF ? List.of() : IN_GROUPS);
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

    /** The empty language is the default. */
    private static List<String> languages() {
        return Stream.concat(Stream.of(""), BotTexts.LANGUAGES.stream()).toList();
    }

    private static void set(BotApi api, String scope, String language, List<String> commands)
            throws BotApiException, InterruptedException {
        BotTexts words = BotTexts.in(language);
        ObjectNode params = BotApi.params();
        params.putObject("scope").put("type", scope);
        if (!language.isEmpty()) {
            params.put("language_code", language);
        }
        var list = params.putArray("commands");
        commands.forEach(
                name -> list.addObject().put("command", name).put("description", words.format("command." + name)));
        api.call(commands.isEmpty() ? "deleteMyCommands" : "setMyCommands", params);
    }
}
