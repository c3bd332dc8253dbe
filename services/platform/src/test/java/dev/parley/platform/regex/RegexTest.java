package dev.parley.platform.regex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{1000}){1000}){1000}",
                "(((((a{30}){30}){30}){30}){30})",
                "(?:(?:x{0,1000}){0,1000}){0,1000}",
                "((a{100}[)]){100}[]()]){100}",
                "((a{100}[^](]){100}\\)){100}",
                "(a{1000}){1000,}"
            })
    void rejectsExcessiveRepetition(String regex) {
        var refused = assertThrows(IllegalArgumentException.class, () -> Regex.compile(regex, false));
        assertTrue(refused.getMessage().contains("repeats too much"), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "(", "a)", "[", "a**", "(?=x)", "\\1", "(a{900}\\Q[\\E){900}", "[[:alpha:]]", "\\"})
    void rejectsInvalidExpressions(String regex) {
        var refused = assertThrows(IllegalArgumentException.class, () -> Regex.compile(regex, false));
        assertTrue(refused.getMessage().startsWith("the regular expression "), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[0-9a-f]{64}-[0-9a-f]{64}",
                "\\bfoo\\(",
                "a{,3}",
                "{",
                "x{2}y{3,}",
                "(?i)todo|fixme",
                "[]a]",
                "[^\\]]+$",
                "\\p{Greek}"
            })
    void acceptsCommonExpressions(String regex) {
        assertNotNull(Regex.compile(regex, true));
    }

    @Test
    void ignoresCaseOnlyOnRequest() {
        assertEquals(false, Regex.compile("todo", false).matcher("TODO").find());
        assertEquals(true, Regex.compile("todo", true).matcher("TODO").find());
    }
}
