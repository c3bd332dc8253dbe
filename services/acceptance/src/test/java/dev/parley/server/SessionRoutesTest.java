package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every route of a session has its line in {@link SessionRoutes}, which {@link AccessIT} tries as a guest. */
class SessionRoutesTest {
    private static final Pattern ROUTE =
            Pattern.compile("(\\w+) /v1/(?:projects/\\{project}/)?sessions/\\{key}(\\S*) \\S+");

    @Test
    @Tag("B72")
    void everyRouteOfASessionSaysWhatItIs() throws IOException {
        var routes = new TreeSet<String>();
        for (String line : Files.readAllLines(Path.of("src/test/resources/routes.txt"))) {
            Matcher route = ROUTE.matcher(line);
            if (route.matches()) {
                routes.add(route.group(1) + " " + route.group(2));
            }
        }
        var listed = new TreeSet<>(SessionRoutes.USES.keySet());
        listed.addAll(SessionRoutes.OF_LEADERS);
        assertEquals(listed, routes);
    }
}
