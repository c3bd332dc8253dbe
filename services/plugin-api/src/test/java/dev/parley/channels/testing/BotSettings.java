package dev.parley.channels.testing;

import dev.parley.channels.contract.Groups;
import java.net.URI;
import java.util.Map;

/**
 * The settings of a bot for a double.
 *
 * @param name of the bot, the first part of its session keys
 * @param api base URL of the double; empty text where the channel has none
 * @param token the bot's secret, of at least eight characters so that it is found where it must not be
 * @param secrets other secrets, by the settings that refer to them
 * @param settings what else the channel asks for
 * @param streams whether growing answers are shown
 */
public record BotSettings(
        String name,
        URI api,
        String token,
        Map<String, String> secrets,
        Map<String, String> settings,
        boolean streams,
        Groups groups) {
    public BotSettings {
        secrets = Map.copyOf(secrets);
        settings = Map.copyOf(settings);
    }

    /** A bot for private chats, which streams. */
    public BotSettings(String name, URI api, String token, Map<String, String> secrets, Map<String, String> settings) {
        this(name, api, token, secrets, settings, true, Groups.MENTION);
    }
}
