package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.MenuCommand;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the commands of a bot with Discord. Best effort: commands can also be typed.
 *
 * @see <a href="https://docs.discord.com/developers/interactions/application-commands">its reference</a>
 */
final class DiscordMenu {
    private static final Logger LOG = LoggerFactory.getLogger(DiscordMenu.class);
    private static final int IN_GUILDS = 0;
    private static final int WITH_THE_BOT = 1;
    private static final int TEXT = 3;
    private static final int MAX_DESCRIPTION = 100;
    /** Commands with an argument, and its name. */
    private static final Map<String, String> ARGUMENTS = Map.of("model", "name", "link", "code", "forget", "what");

    /** Discord's names of the languages. */
    private static final Map<String, String> LANGUAGES = Map.of("de", "de", "es", "es-ES", "fr", "fr");

    private DiscordMenu() {}

    /**
     * Registers the commands.
     *
     * @param application id of the application
     */
    static void register(DiscordApi api, ConfiguredBot bot, String application) {
        try {
            api.call(
                    "PUT",
                    "/applications/" + application + "/commands",
                    commands(bot.commands(), bot.groups() != Groups.OFF),
                    DiscordApi.SHORT_TIMEOUT);
        } catch (DiscordException e) {
            LOG.atWarn()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("commands of the bot could not be registered");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static ArrayNode commands(List<MenuCommand> ofBot, boolean inGuilds) {
        ArrayNode commands = DiscordApi.list();
        for (MenuCommand described : ofBot) {
            String name = described.name();
            ObjectNode command =
                    commands.addObject().put("name", name).put("type", 1).put("description", words(described, ""));
            ObjectNode other = command.putObject("description_localizations");
            LANGUAGES.forEach((language, theirs) -> other.put(theirs, words(described, language)));
            ArrayNode contexts = command.putArray("contexts").add(WITH_THE_BOT);
            if (inGuilds) {
                contexts.add(IN_GUILDS);
            }
            if (ARGUMENTS.containsKey(name)) {
                command.putArray("options")
                        .addObject()
                        .put("type", TEXT)
                        .put("name", ARGUMENTS.get(name))
                        .put("description", words(described, ""));
            }
        }
        return commands;
    }

    private static String words(MenuCommand command, String language) {
        String text = command.description(language);
        return text.length() <= MAX_DESCRIPTION ? text : text.substring(0, MAX_DESCRIPTION);
    }
}
