package dev.parley.control.definitions;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON Schema of a tool's parameters. */
public final class Parameters {
    private Parameters() {}

    /** The schema of a tool, or one derived from its parameters, which allows no others. */
    public static Map<String, Object> schema(ToolJson tool) {
        if (tool.parametersSchema() != null) {
            return tool.parametersSchema();
        }
        List<ToolJson.ParameterJson> parameters = tool.parameters() == null ? List.of() : tool.parameters();
        var properties = new LinkedHashMap<String, Object>();
        parameters.forEach(parameter -> properties.put(parameter.name(), property(parameter)));
        var schema = new LinkedHashMap<String, Object>();
        schema.put("type", "object");
        schema.put("properties", properties);
        List<String> required = parameters.stream()
                .filter(ToolJson.ParameterJson::required)
                .map(ToolJson.ParameterJson::name)
                .toList();
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private static Map<String, Object> property(ToolJson.ParameterJson parameter) {
        var property = new LinkedHashMap<String, Object>();
        property.put("type", parameter.type());
        if (parameter.description() != null) {
            property.put("description", parameter.description());
        }
        if (parameter.defaultValue() != null) {
            property.put("default", parameter.defaultValue());
        }
        if (parameter.validation() != null) {
            parameter.validation().forEach(property::putIfAbsent);
        }
        return property;
    }
}
