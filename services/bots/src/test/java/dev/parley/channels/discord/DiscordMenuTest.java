package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.ChatCommands;
import org.junit.jupiter.api.Test;

class DiscordMenuTest {
    @Test
    void menuFitsTheLimitsOfDiscord() {
        // When
        JsonNode commands = DiscordMenu.commands(ChatCommands.menu(), true);

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
        assertEquals(
                1,
                DiscordMenu.commands(ChatCommands.menu(), false)
                        .get(0)
                        .path("contexts")
                        .size());
    }
}
