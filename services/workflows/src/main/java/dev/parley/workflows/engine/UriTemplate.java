package dev.parley.workflows.engine;

import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** URI templates: simple expansion of RFC 6570 with members of the data. */
final class UriTemplate {
    private static final Pattern NAME = Pattern.compile("\\{([^{}]*)}");

    private UriTemplate() {}

    /** Expands an endpoint, a URI or an object with one. Missing names expand to an empty text. */
    static Json expand(Json endpoint, Json data, String pointer) {
        if (endpoint instanceof Json.Obj) {
            return endpoint.with("uri", expand(endpoint.get("uri"), data, pointer));
        }
        var uri = new StringBuilder();
        Matcher name = NAME.matcher(endpoint.display());
        while (name.find()) {
            Json value = data.get(name.group(1));
            if (value instanceof Json.Arr || value instanceof Json.Obj) {
                throw new TaskFailure(Standard.EXPRESSION.error(
                        "{" + name.group(1) + "} in a URI is a text, a number or a boolean, not " + value.type(),
                        pointer));
            }
            String text = value.isNull() ? "" : value.display();
            name.appendReplacement(uri, Matcher.quoteReplacement(encode(text)));
        }
        name.appendTail(uri);
        return Json.of(uri.toString());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }
}
