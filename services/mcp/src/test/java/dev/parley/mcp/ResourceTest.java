package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.api.ApiRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceTest {
    private static String target(String uri) {
        List<String> targets = Resource.all().stream()
                .map(kind -> kind.request(uri))
                .flatMap(Optional::stream)
                .map(ApiRequest::target)
                .toList();
        assertTrue(targets.size() <= 1, targets.toString());
        return targets.isEmpty() ? "" : targets.getFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "parley://projects/default/agents, /v1/projects/default/agents",
        "parley://projects/default/agents/helper, /v1/projects/default/agents/helper",
        "parley://projects/default/sessions/app%3Ann, /v1/projects/default/sessions/app%3Ann",
        "parley://projects/p/sessions/a%20b/messages, /v1/projects/p/sessions/a%20b/messages?order=desc",
        "parley://projects/p/workflows/shop%3Aorder/definition, /v1/projects/p/workflows/shop%3Aorder/definition",
        "parley://projects/p/processes, /v1/processes?project=p",
        "parley://processes/1, /v1/processes/1",
        "parley://projects/a%2F..%2Fb/agents, /v1/projects/a%2F..%2Fb/agents",
        "parley://projects/../agents, /v1/projects/%2E%2E/agents",
        "parley://projects/p/sessions/x+y, /v1/projects/p/sessions/x%2By",
    })
    void mapsAUriToAnApiPath(String uri, String target) {
        assertEquals(target, target(uri));
    }

    @ParameterizedTest
    @CsvSource({
        "parley://",
        "parley://projects/p/credentials",
        "parley://projects/p/sessions/s/turns",
        "parley://projects/p/agents?includeInactive=true",
        "parley://processes/a/b",
        "parley://processes/a%",
        "http://projects/p/agents",
        "file:///etc/passwd",
    })
    void rejectsUrisOutsideTheTemplates(String uri) {
        assertEquals("", target(uri));
    }

    @Test
    void everyTemplateYieldsReadableUris() {
        for (Resource kind : Resource.all()) {
            String uri = kind.template().contains("{project}") ? kind.uri("a b", "x/y") : kind.uri("x/y");
            assertTrue(kind.request(uri).isPresent(), uri);
        }
    }
}
