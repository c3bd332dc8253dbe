package dev.parley.channels.whatsapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

class WhatsAppSettingsTest {
    @TempDir
    private Path folder;

    private List<BotConfig> read(String whatsapp) throws IOException {
        Path file = folder.resolve("parley.yml");
        Files.writeString(file, "whatsapp: [" + whatsapp + "]\n");
        return ConfigReader.read(Map.of("PARLEY_CONFIG", file.toString(), "PARLEY_DATA", folder.toString()))
                .bots();
    }

    @Test
    @Tag("B209")
    void readsABot() throws IOException {
        BotConfig bot = read("""
                {token: 'env:T', phoneNumberId: 106540352242922, appSecret: 'env:A', verifyToken: 'env:V',
                 template: update/en_US, allowedUsers: [US.13491208655302741918]}
                """).getFirst();

        assertEquals("whatsapp", bot.name());
        assertEquals(WhatsAppPlugin.KIND, bot.kind());
        assertEquals(URI.create("https://graph.facebook.com/v24.0"), bot.apiUrl());
        assertEquals(Map.of(WhatsAppPlugin.APP_SECRET, "env:A", WhatsAppPlugin.VERIFY_TOKEN, "env:V"), bot.secrets());
        assertEquals(
                Map.of(WhatsAppPlugin.PHONE_NUMBER_ID, "106540352242922", WhatsAppPlugin.TEMPLATE, "update/en_US"),
                bot.settings());
        assertEquals(Set.of("US.13491208655302741918"), bot.allowedUsers());
    }

    @ParameterizedTest
    @Tag("B209")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {token: 'env:T', phoneNumberId: 106540352242922}                                | whatsapp[0].appSecret
            {token: 'env:T', appSecret: 'env:A'}                                            | whatsapp[0].phoneNumberId
            {token: 'env:T', appSecret: 'env:A', phoneNumberId: +1 555 0783881}             | whatsapp[0].phoneNumberId
            {appSecret: 'env:A', phoneNumberId: 106540352242922}                            | whatsapp[0].token
            {token: EAAx, appSecret: 'env:A', phoneNumberId: 106540352242922}               | whatsapp[0].token
            {token: 'env:T', appSecret: abc, phoneNumberId: 106540352242922}                | whatsapp[0].appSecret
            {token: 'env:T', appSecret: 'env:A', phoneNumberId: 106540352242922, template: update} | whatsapp[0].template
            {token: 'env:T', appSecret: 'env:A', phoneNumberId: 106540352242922, allowedUsers: ['4917012345']} | whatsapp[0].allowedUsers
            {token: 'env:T', appSecret: 'env:A', phoneNumberId: 106540352242922, number: 1} | whatsapp[0].number
            """)
    void namesTheInvalidKey(String section, String key) {
        ConfigException e = assertThrows(ConfigException.class, () -> read(section));

        assertTrue(String.valueOf(e.getMessage()).contains(key), e::getMessage);
    }
}
