package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.config.BotConfig.Groups;
import org.junit.jupiter.api.Test;

class DiscordChannelTest {
    private static final String TOKEN = "MjAwMDAwMDAw.Gabcde.kind-token_0123456789";

    @Test
    void checksTheTokenAndReadsItsBotId() {
        assertTrue(DiscordChannel.BOTS.token().fits(TOKEN));
        assertFalse(DiscordChannel.BOTS.token().fits("Bot " + TOKEN));
        assertFalse(DiscordChannel.BOTS.token().fits("123456:AAkind-token_0123456789"));
        assertEquals("MjAwMDAwMDAw", DiscordChannel.BOTS.account().apply(TOKEN));
    }

    @Test
    void requestsTheIntentsOfItsGroupMode() {
        assertEquals(1 << 12, DiscordBot.intents(Groups.OFF));
        assertEquals(1 << 12 | 1 << 9, DiscordBot.intents(Groups.MENTION));
        assertEquals(1 << 12 | 1 << 9 | 1 << 15, DiscordBot.intents(Groups.ALL));
    }

    @Test
    void privateChatIdIsTheUserId() {
        assertEquals("@400000000000000001", ChannelIds.privately("400000000000000001"));
        assertTrue(ChannelIds.isPrivate("@400000000000000001"));
        assertFalse(ChannelIds.isPrivate("400000000000000001"));
    }

    @Test
    void menuFitsTheLimitsOfDiscord() {
        // When
        JsonNode commands = DiscordMenu.commands(true);

        // Then
        assertTrue(commands.size() > 5 && commands.size() <= 100);
        for (JsonNode command : commands) {
            assertTrue(command.path("name").asText().matches("[a-z]{1,32}"));
            int length = command.path("description").asText().length();
            assertTrue(length >= 1 && length <= 100);
            for (JsonNode other : command.path("description_localizations")) {
                assertTrue(other.asText().length() <= 100);
            }
            assertEquals(2, command.path("contexts").size());
        }
        assertEquals(1, DiscordMenu.commands(false).get(0).path("contexts").size());
    }
}
