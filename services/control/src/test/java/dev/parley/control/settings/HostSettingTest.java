package dev.parley.control.settings;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.control.http.JsonColumns;
import dev.parley.platform.http.ApiException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and values of settings. */
class HostSettingTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            registration | "open"                             | true
            registration | "ajar"                             | false
            registration | 1                                  | false
            projectCreation | "administrators"                | true
            projectCreation | "nobody"                        | false
            defaultModel | "openai/gpt-5"                     | true
            defaultModel | "openai/models/x:free"             | true
            defaultModel | "gpt-5"                            | false
            defaultModel | "openai/a b"                       | false
            defaultModel | "openai/a\\n"                       | false
            defaultModel | "openai/a\\u0007"                   | false
            defaultModel | "openai/a\\"b"                      | false
            defaultModel | 5                                  | false
            budget       | {"amount":10,"period":"day"}       | true
            budget       | {"amount":-1,"period":"day"}       | false
            budget       | []                                 | false
            """)
    @Tag("I35")
    void validatesAValueByItsSchema(String name, String value, boolean valid) {
        var setting = HostSetting.of(name).orElseThrow();

        assertEquals(valid, setting.fault(JsonColumns.tree(value)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"defaultmodel", "DefaultModel", "defaultModels", "default-model", "defaultMdoel", "bugdet"})
    @Tag("I35")
    void rejectsAMisspelledName(String name) {
        var refused = assertThrows(ApiException.class, () -> SettingNames.rejectMisspelled(name, HostSetting.codes()));

        assertTrue(String.valueOf(refused.getMessage()).contains("did you mean"), refused.getMessage());
    }

    @Test
    void acceptsKnownAndCustomNames() {
        assertDoesNotThrow(() -> {
            for (String name : new String[] {"defaultModel", "x", "modelDefault", "ui.theme", "a".repeat(64)}) {
                SettingNames.check(name);
                SettingNames.rejectMisspelled(name, HostSetting.codes());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a/b", "a b", ".x", "ä", "price/a/b"})
    void rejectsAnInvalidName(String name) {
        assertThrows(ApiException.class, () -> SettingNames.check(name));
    }
}
