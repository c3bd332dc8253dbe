package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Groups;
import org.junit.jupiter.api.Test;

class DiscordPluginTest {
    private static final String TOKEN = "MjAwMDAwMDAw.Gabcde.kind-token_0123456789";

    @Test
    void checksTheTokenAndReadsItsBotId() {
        assertTrue(DiscordPlugin.BOTS.token().fits(TOKEN));
        assertFalse(DiscordPlugin.BOTS.token().fits("Bot " + TOKEN));
        assertFalse(DiscordPlugin.BOTS.token().fits("123456:AAkind-token_0123456789"));
        assertEquals("MjAwMDAwMDAw", DiscordPlugin.BOTS.account().apply(TOKEN));
    }

    @Test
    void requestsTheIntentsOfItsGroupMode() {
        assertEquals(1 << 12 | 1 << 13, DiscordBot.intents(Groups.OFF));
        assertEquals(1 << 12 | 1 << 13 | 1 << 9 | 1 << 10, DiscordBot.intents(Groups.MENTION));
        assertEquals(1 << 12 | 1 << 13 | 1 << 9 | 1 << 10 | 1 << 15, DiscordBot.intents(Groups.ALL));
    }

    @Test
    void privateChatIdIsTheUserId() {
        assertEquals("@400000000000000001", ChannelIds.privately("400000000000000001"));
        assertTrue(ChannelIds.isPrivate("@400000000000000001"));
        assertFalse(ChannelIds.isPrivate("400000000000000001"));
    }
}
