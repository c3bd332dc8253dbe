package dev.parley.channels.openai.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.web.CallerToolJson;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.SettingsJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parser of the functions that a client offers and carries out. */
public final class FunctionTools {
    private static final String TOOLS = "tools";
    private static final String CHOICE = "tool_choice";
    private static final String FUNCTION = "function";
    private static final String NONE = "none";
    private static final String MARK = "client__";

    private FunctionTools() {}

    /** The functions of a chat completion, each in an object of its own. */
    public static List<CallerToolJson> ofCompletion(RequestFields body) {
        var tools = new ArrayList<CallerToolJson>();
        for (RequestFields tool : offeredTools(body)) {
            tools.add(tool(tool.object(FUNCTION)));
        }
        return requireValid(tools);
    }

    /** The functions of a response. */
    public static List<CallerToolJson> ofResponse(RequestFields body) {
        return requireValid(offeredTools(body).stream().map(FunctionTools::tool).toList());
    }

    /** The tool choice as a setting; null for auto. */
    static @Nullable String choice(RequestFields body) {
        JsonNode choice = body.get(CHOICE);
        if (!body.has(CHOICE) || "auto".equals(choice.textValue())) {
            return null;
        }
        if (List.of(NONE, ToolChoice.REQUIRED).contains(choice.asText())) {
            return choice.textValue();
        }
        if (choice.isObject() && FUNCTION.equals(choice.path("type").textValue())) {
            RequestFields chosen = body.object(CHOICE);
            return ToolChoice.TOOL + (chosen.has(FUNCTION) ? chosen.object(FUNCTION) : chosen).requireText("name");
        }
        throw ProtocolException.unsupported(CHOICE, "'tool_choice' is 'auto', 'none', 'required' or a function.");
    }

    /**
     * The functions with the names that the model sees. With the mark, they differ from the agent's own tools.
     *
     * @param isRenamed whether all names get the mark, otherwise only those that begin with it
     */
    public static List<CallerToolJson> named(List<CallerToolJson> tools, boolean isRenamed) {
        return tools.stream()
                .map(tool -> new CallerToolJson(
                        modelName(String.valueOf(tool.name()), isRenamed), tool.description(), tool.parameters()))
                .toList();
    }

    /** The settings, in which the chosen function has the name that the model sees. */
    public static SettingsJson settings(SettingsJson settings, List<CallerToolJson> tools, boolean isRenamed) {
        String choice = settings.toolChoice();
        return tools.stream()
                .map(tool -> String.valueOf(tool.name()))
                .filter(name -> (ToolChoice.TOOL + name).equals(choice))
                .findFirst()
                .map(name -> settings.withToolChoice(ToolChoice.TOOL + modelName(name, isRenamed)))
                .orElse(settings);
    }

    private static String modelName(String name, boolean isRenamed) {
        return isRenamed || name.startsWith(MARK) ? MARK + name : name;
    }

    /** The name by which the client offered a function that the model calls by this one. */
    public static String offeredName(String modelName) {
        return modelName.startsWith(MARK) ? modelName.substring(MARK.length()) : modelName;
    }

    private static boolean isToolless(RequestFields body) {
        return NONE.equals(body.get(CHOICE).textValue());
    }

    private static List<RequestFields> offeredTools(RequestFields body) {
        if (!body.objects("functions").isEmpty() && !isToolless(body)) {
            throw ProtocolException.unsupported("functions", "Send functions as 'tools'.");
        }
        List<RequestFields> offered = body.objects(TOOLS);
        for (RequestFields tool : offered) {
            if (tool.has("type") && !FUNCTION.equals(tool.text("type")) && !isToolless(body)) {
                throw ProtocolException.unsupported(
                        tool.param("type"),
                        "Tools of the type '%s' are not supported: a client offers functions, and the agent has the tools of its own in Parley."
                                .formatted(tool.text("type")));
            }
        }
        return isToolless(body) ? List.of() : offered;
    }

    private static CallerToolJson tool(RequestFields function) {
        return new CallerToolJson(
                function.requireText("name"),
                function.text("description"),
                function.has("parameters")
                        ? ProtocolJson.map(function.object("parameters").json())
                        : null);
    }

    private static List<CallerToolJson> requireValid(List<CallerToolJson> tools) {
        try {
            CallerToolJson.specs(tools);
            return tools;
        } catch (ApiException e) {
            throw ProtocolException.invalid(TOOLS, e.getMessage());
        }
    }
}
