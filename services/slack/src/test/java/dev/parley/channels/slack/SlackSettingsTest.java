package dev.parley.channels.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Groups;
import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.config.bot.BotConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlackSettingsTest {
    @TempDir
    private Path folder;

    private List<BotConfig> read(String slack) throws IOException {
        Path file = folder.resolve("parley.yml");
        Files.writeString(file, "slack: [" + slack + "]\n");
        return ConfigReader.read(Map.of("PARLEY_CONFIG", file.toString(), "PARLEY_DATA", folder.toString()))
                .bots();
    }

    @Test
    void appliesDefaultSettings() throws IOException {
        BotConfig bot = read("{token: 'env:T', appToken: 'env:A', allowedUsers: [U012AB3CD]}")
                .getFirst();

        assertEquals("slack", bot.name());
        assertEquals(SlackPlugin.KIND, bot.kind());
        assertEquals(URI.create("https://slack.com/api"), bot.apiUrl());
        assertEquals(Map.of(SlackPlugin.APP_TOKEN, "env:A"), bot.secrets());
        assertEquals(Set.of("U012AB3CD"), bot.allowedUsers());
        assertEquals(Groups.MENTION, bot.groups());
        assertTrue(bot.streams());
    }

    @Test
    @Tag("B190")
    void readsWhatOnlySlackHas() throws IOException {
        String bot = "{token: 'env:T', appToken: 'env:A', agentView: %s, suggestedPrompts: \"%s\"}";

        assertEquals(
                Map.of(SlackSettings.AGENT_VIEW, "true", SlackSettings.PROMPTS, "Today | Sum up today\n\nHelp\n"),
                read(bot.formatted("true", "Today | Sum up today\\n\\nHelp\\n"))
                        .getFirst()
                        .settings());
        assertRefused("slack[0].agentView", bot.formatted("maybe", "Help"));
        assertRefused("slack[0].suggestedPrompts", bot.formatted("true", "1\\n2\\n3\\n4\\n5"));
    }

    private void assertRefused(String key, String bot) {
        ConfigException e = assertThrows(ConfigException.class, () -> read(bot));
        assertTrue(String.valueOf(e.getMessage()).contains(key), e::getMessage);
    }

    @Test
    void acceptsSocketModeAndHttpTogether() throws IOException {
        BotConfig bot = read("{name: help, token: 'env:T', appToken: 'env:A', signingSecret: 'env:S', groups: all}")
                .getFirst();

        assertEquals("help", bot.name());
        assertEquals(Map.of(SlackPlugin.APP_TOKEN, "env:A", SlackPlugin.SIGNING_SECRET, "env:S"), bot.secrets());
        assertEquals(Groups.ALL, bot.groups());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {token: 'env:T'}                                         | slack[0].appToken
            {appToken: 'env:A'}                                      | slack[0].token
            {token: xoxb-1, appToken: 'env:A'}                       | slack[0].token
            {token: 'env:T', appToken: xapp-1}                       | slack[0].appToken
            {token: 'env:T', appToken: 'env:A', allowedUsers: [ann]} | slack[0].allowedUsers
            {token: 'env:T', appToken: 'env:A', groups: some}        | slack[0].groups
            {token: 'env:T', appToken: 'env:A', apiUrl: slack}       | slack[0].apiUrl
            """)
    void namesTheInvalidKey(String section, String key) {
        ConfigException e = assertThrows(ConfigException.class, () -> read(section));

        assertTrue(String.valueOf(e.getMessage()).contains(key), e::getMessage);
    }
}
