package dev.parley.control.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One form for addresses that are the same. */
class EmailAddressTest {
    @ParameterizedTest
    @CsvSource({
        "ann@example.com, ann@example.com",
        "Ann.B+c@EXAMPLE.com, Ann.B+c@example.com",
        "ann\uFF20example.com, ann@example.com", // a wide at sign
        "\uFF41nn@example.com, ann@example.com",
        "\u017Fam@example.com, sam@example.com",
        "e\u0301@example.com, \u00E9@example.com",
        "ann@b\u00FCcher.example, ann@xn--bcher-kva.example",
        "ann@BU\u0308CHER.example, ann@xn--bcher-kva.example",
    })
    @Tag("B56")
    void sameAddressesHaveOneForm(String text, String normal) {
        assertEquals(Optional.of(normal), EmailAddress.normal(text));
        assertEquals(Optional.of(normal), EmailAddress.normal(normal), "it is its own form");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann",
                "@example.com",
                "ann@",
                "a@b@c",
                "a b@c",
                "\u202Eann@example.com",
                "ann\u200B@example.com",
                "ann\u00AD@example.com",
                "ann@example.com\nBcc: b@example.com",
                "ann@example.com, b@example.com",
                "\u00A0@example.com",
            })
    void othersAreNone(String text) {
        assertEquals(Optional.empty(), EmailAddress.normal(text));
    }

    @Test
    void tooLongOnesAreNone() {
        assertEquals(Optional.empty(), EmailAddress.normal("a".repeat(65) + "@example.com"));
        assertEquals(Optional.empty(), EmailAddress.normal("a@" + "b".repeat(64) + ".com"));
    }
}
