package dev.parley.workflows.work;

import dev.parley.workflows.json.Json;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Variables in the URL of a server, {@code https://{region}.example}, as OpenAPI, AsyncAPI and OpenRPC have them. */
final class ServerVariables {
    static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");

    private ServerVariables() {}

    /**
     * The text with the values of its variables.
     *
     * @param server what errors call the server
     * @param variables the declaration by name; JSON null if there is none
     * @param arguments values by name; where there is none, the default counts
     */
    static String expand(String server, String text, Function<String, Json> variables, Json arguments)
            throws CallException {
        var expanded = new StringBuilder();
        Matcher found = VARIABLE.matcher(text);
        while (found.find()) {
            String name = found.group(1);
            String value = value(server, name, variables.apply(name), arguments.get(name));
            found.appendReplacement(expanded, Matcher.quoteReplacement(value));
        }
        return found.appendTail(expanded).toString();
    }

    private static String value(String server, String name, Json variable, Json argument) throws CallException {
        Json value = argument.isNull() ? variable.get("default") : argument;
        List<Json> allowed = variable.get("enum").list();
        if (value.isNull()) {
            throw CallException.configuration("the server '%s' needs the variable '%s'".formatted(server, name));
        }
        if (!allowed.isEmpty() && !allowed.contains(value)) {
            throw CallException.configuration("the variable '%s' of the server '%s' is one of %s, not '%s'"
                    .formatted(
                            name,
                            server,
                            CallException.names(
                                    allowed.stream().map(Json::display).toList()),
                            value.display()));
        }
        return value.display();
    }
}
