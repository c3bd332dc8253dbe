package dev.parley.workflows.definition;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A parsed YAML 1.2 or JSON text, with the line and column of each node. Limits size, depth and alias expansion. */
public final class YamlText {
    private static final int MAX_LENGTH = 1_000_000;
    private static final int MAX_VALUES = 50_000;
    private static final int MAX_DEPTH = 100;
    private static final String TOO_DEEP = "it is nested more than " + MAX_DEPTH + " levels deep";

    private final Map<String, Mark> marks = new HashMap<>();
    private final Json value;
    private int values;

    private YamlText(Node root) {
        value = read(root, "", 0);
    }

    /**
     * Reads a text.
     *
     * @throws InvalidDefinitionException if it is not valid YAML or too large
     */
    public static YamlText of(String text) {
        if (text.length() > MAX_LENGTH) {
            throw invalidDefinition("a definition has at most " + MAX_LENGTH + " characters", Optional.empty());
        }
        var settings = LoadSettings.builder()
                .setAllowDuplicateKeys(false)
                .setAllowNonScalarKeys(true) // rejected below, with their location
                .build();
        try {
            Node root = new Compose(settings)
                    .composeString(text)
                    .orElseThrow(() -> invalidDefinition("the text is empty", Optional.empty()));
            return new YamlText(root);
        } catch (MarkedYamlEngineException e) {
            throw invalidDefinition("invalid YAML: " + e.getProblem(), e.getProblemMark());
        } catch (YamlEngineException e) {
            throw invalidDefinition("invalid YAML: " + e.getMessage(), Optional.empty());
        } catch (StackOverflowError e) { // the parser is recursive, and has no limit of its own
            throw invalidDefinition(TOO_DEEP, Optional.empty());
        }
    }

    private static InvalidDefinitionException invalidDefinition(String detail, Optional<Mark> mark) {
        int line = mark.map(position -> position.getLine() + 1).orElse(0);
        int column = mark.map(position -> position.getColumn() + 1).orElse(0);
        return new InvalidDefinitionException(List.of(new DefinitionProblem("", line, column, detail)));
    }

    /** The parsed value. */
    public Json value() {
        return value;
    }

    /** A problem at a pointer, located at the nearest existing node. */
    DefinitionProblem problem(String pointer, String detail) {
        String nearest = pointer;
        while (!marks.containsKey(nearest) && nearest.contains("/")) {
            nearest = nearest.substring(0, nearest.lastIndexOf('/'));
        }
        Mark mark = marks.get(nearest);
        return mark == null
                ? new DefinitionProblem(pointer, 0, 0, detail)
                : new DefinitionProblem(pointer, mark.getLine() + 1, mark.getColumn() + 1, detail);
    }

    private Json read(Node node, String pointer, int depth) {
        // an alias repeats a whole subtree, so that a small text can expand without limit
        if (++values > MAX_VALUES) {
            throw invalidDefinition(
                    "it has more than " + MAX_VALUES + " values, with those that aliases repeat", node.getStartMark());
        }
        if (depth > MAX_DEPTH) {
            throw invalidDefinition(TOO_DEEP, node.getStartMark());
        }
        node.getStartMark().ifPresent(mark -> marks.putIfAbsent(pointer, mark));
        return switch (node) {
            case MappingNode mapping -> mapping(mapping, pointer, depth);
            case SequenceNode sequence -> sequence(sequence, pointer, depth);
            case ScalarNode scalar -> scalar(scalar);
            default -> throw invalidDefinition("'" + node.getTag() + "' is not supported", node.getStartMark());
        };
    }

    private Json mapping(MappingNode mapping, String pointer, int depth) {
        var members = new LinkedHashMap<String, Json>();
        for (NodeTuple member : mapping.getValue()) {
            if (!(member.getKeyNode() instanceof ScalarNode key)) {
                throw invalidDefinition(
                        "the name of a member is a text", member.getKeyNode().getStartMark());
            }
            String name = key.getValue();
            String memberPointer = JsonPointer.child(pointer, name);
            if (members.containsKey(name)) {
                throw invalidDefinition("'" + name + "' is a duplicate key", key.getStartMark());
            }
            key.getStartMark().ifPresent(mark -> marks.put(memberPointer, mark));
            members.put(name, read(member.getValueNode(), memberPointer, depth + 1));
        }
        return Json.of(members);
    }

    private Json sequence(SequenceNode sequence, String pointer, int depth) {
        var items = new ArrayList<Json>();
        for (Node item : sequence.getValue()) {
            items.add(read(item, JsonPointer.child(pointer, String.valueOf(items.size())), depth + 1));
        }
        return Json.of(items);
    }

    private static Json scalar(ScalarNode scalar) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        try {
            if (tag.equals(Tag.NULL)) {
                return Values.NULL;
            } else if (tag.equals(Tag.BOOL)) {
                return Json.of(Boolean.parseBoolean(text));
            } else if (tag.equals(Tag.INT)) {
                return JsonText.number(new BigDecimal(integer(text)));
            } else if (tag.equals(Tag.FLOAT)) {
                return JsonText.number(new BigDecimal(text));
            }
        } catch (NumberFormatException e) {
            return Json.of(text); // .inf, .nan
        } catch (IllegalArgumentException e) {
            throw invalidDefinition(String.valueOf(e.getMessage()), scalar.getStartMark());
        }
        return Json.of(text);
    }

    private static BigInteger integer(String text) {
        return text.startsWith("0x")
                ? new BigInteger(text.substring(2), 16)
                : text.startsWith("0o") ? new BigInteger(text.substring(2), 8) : new BigInteger(text);
    }
}
