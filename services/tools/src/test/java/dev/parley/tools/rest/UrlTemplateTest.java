package dev.parley.tools.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.tools.rest.UrlTemplate.BadValueException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A placeholder's value stays within its path segment. */
class UrlTemplateTest {
    @ParameterizedTest
    @Tag("A19")
    @CsvSource(delimiter = '|', textBlock = """
            7                  | https://api.example.com/users/7/posts
            a b                | https://api.example.com/users/a%20b/posts
            group/project      | https://api.example.com/users/group%2Fproject/posts
            x?admin=1#y        | https://api.example.com/users/x%3Fadmin%3D1%23y/posts
            x@evil.org         | https://api.example.com/users/x%40evil.org/posts
            a;b=c              | https://api.example.com/users/a%3Bb%3Dc/posts
            {id}               | https://api.example.com/users/%7Bid%7D/posts
            é                  | https://api.example.com/users/%C3%A9/posts
            """)
    void encodesAValue(String value, String url) throws BadValueException {
        var template = UrlTemplate.of("url", "https://api.example.com/users/{id}/posts");

        assertEquals(url, template.expand(Map.of("id", value)).toString());
    }

    @ParameterizedTest
    @Tag("A19")
    @ValueSource(strings = {"", ".", "..", "../admin", "..\\admin", "a/../../admin", "%2e%2e", "%2E.", "a/%2e%2E"})
    void rejectsPathTraversalInAValue(String value) {
        var template = UrlTemplate.of("url", "https://api.example.com/users/{id}/posts");

        assertThrows(BadValueException.class, () -> template.expand(Map.of("id", value)));
    }

    @Test
    void rejectsTraversalFromCombinedValues() {
        var template = UrlTemplate.of("url", "https://api.example.com/{a}.{b}");

        assertThrows(BadValueException.class, () -> template.expand(Map.of("a", ".", "b", "x")));
        assertThrows(BadValueException.class, () -> template.expand(Map.of("a", "", "b", "")));
    }

    @Test
    void keepsTheQueryOfTheDefinition() throws BadValueException {
        // Given
        var template = UrlTemplate.of("url", "https://api.example.com:8443/{a}-{b}.json?version=2");

        // Then
        assertEquals(Set.of("a", "b"), template.names());
        assertEquals(
                "https://api.example.com:8443/1-2.json?version=2",
                template.expand(Map.of("a", "1", "b", "2")).toString());
        assertEquals(
                "https://api.example.com/",
                UrlTemplate.of("url", "https://api.example.com")
                        .expand(Map.of())
                        .toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://{host}/x",
                "{url}",
                "https://api.example.com/x?q={q}",
                "https://user:pass@api.example.com/x",
                "https://api.example.com/../x",
                "https://api.example.com/{a",
                "https://api.example.com/x#y",
                "https://api.example.com\\@evil.org/x",
                "ftp://api.example.com/x",
                "file:///etc/passwd",
                "/x"
            })
    void rejectsAnInvalidTemplate(String url) {
        assertThrows(IllegalArgumentException.class, () -> UrlTemplate.of("url", url));
    }
}
