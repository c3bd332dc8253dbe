package dev.parley.workflows.proto;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumOptions;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.squareup.wire.Syntax;
import com.squareup.wire.schema.Field;
import com.squareup.wire.schema.internal.parser.EnumElement;
import com.squareup.wire.schema.internal.parser.FieldElement;
import com.squareup.wire.schema.internal.parser.MessageElement;
import com.squareup.wire.schema.internal.parser.OneOfElement;
import com.squareup.wire.schema.internal.parser.OptionElement;
import com.squareup.wire.schema.internal.parser.ProtoFileElement;
import com.squareup.wire.schema.internal.parser.RpcElement;
import com.squareup.wire.schema.internal.parser.ServiceElement;
import com.squareup.wire.schema.internal.parser.TypeElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts a parsed .proto file to a file descriptor. Type names stay as written; building the descriptors resolves
 * them.
 *
 * @param syntax null for {@code proto2}
 */
record ProtoDescription(@Nullable Syntax syntax) {
    private static final Map<String, FieldDescriptorProto.Type> SCALARS = Stream.of(FieldDescriptorProto.Type.values())
            .filter(type -> !Set.of(
                            FieldDescriptorProto.Type.TYPE_GROUP,
                            FieldDescriptorProto.Type.TYPE_MESSAGE,
                            FieldDescriptorProto.Type.TYPE_ENUM)
                    .contains(type))
            .collect(Collectors.toUnmodifiableMap(
                    type -> type.name().substring("TYPE_".length()).toLowerCase(Locale.ROOT), Function.identity()));

    FileDescriptorProto file(ProtoFileElement element) {
        var file = FileDescriptorProto.newBuilder()
                .setName("the .proto")
                .setSyntax(isProto3() ? "proto3" : "proto2")
                .setPackage(element.getPackageName() == null ? "" : element.getPackageName());
        for (TypeElement type : element.getTypes()) {
            switch (type) {
                case MessageElement message -> file.addMessageType(message(message));
                case EnumElement enumElement -> file.addEnumType(enumeration(enumElement));
                default -> throw unknown(type.getName());
            }
        }
        element.getServices().forEach(service -> file.addService(service(service)));
        return file.build();
    }

    private boolean isProto3() {
        return syntax == Syntax.PROTO_3;
    }

    private static IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException("'" + name + "' is neither a message nor an enum");
    }

    private DescriptorProto message(MessageElement element) {
        checkNoGroups(element);
        var message = DescriptorProto.newBuilder().setName(element.getName());
        for (TypeElement type : element.getNestedTypes()) {
            switch (type) {
                case MessageElement nested -> message.addNestedType(message(nested));
                case EnumElement enumElement -> message.addEnumType(enumeration(enumElement));
                default -> throw unknown(type.getName());
            }
        }
        element.getOneOfs().forEach(oneOf -> addOneOf(message, oneOf));
        addFields(message, element.getFields());
        return message.build();
    }

    private static void checkNoGroups(MessageElement element) {
        boolean hasGroups = !element.getGroups().isEmpty()
                || element.getOneOfs().stream()
                        .anyMatch(oneOf -> !oneOf.getGroups().isEmpty());
        if (hasGroups) {
            throw new IllegalArgumentException("'" + element.getName() + "' has groups, which are not supported");
        }
    }

    private static void addOneOf(DescriptorProto.Builder message, OneOfElement oneOf) {
        int index = message.getOneofDeclCount();
        message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(oneOf.getName()));
        oneOf.getFields()
                .forEach(field ->
                        message.addField(field(message, field).toBuilder().setOneofIndex(index)));
    }

    private void addFields(DescriptorProto.Builder message, List<FieldElement> fields) {
        var optional = new ArrayList<FieldDescriptorProto>();
        for (FieldElement field : fields) {
            FieldDescriptorProto described = field(message, field);
            if (isProto3() && field.getLabel() == Field.Label.OPTIONAL) {
                optional.add(described);
            } else {
                message.addField(described);
            }
        }
        optional.forEach(field -> addOptional(message, field));
    }

    /** In proto3, an optional field is a synthetic oneof, after all other oneofs. */
    private static void addOptional(DescriptorProto.Builder message, FieldDescriptorProto field) {
        int index = message.getOneofDeclCount();
        message.addOneofDecl(OneofDescriptorProto.newBuilder().setName("_" + field.getName()));
        message.addField(field.toBuilder().setProto3Optional(true).setOneofIndex(index));
    }

    /** A field; for a map, also adds the entry type to the message. */
    private static FieldDescriptorProto field(DescriptorProto.Builder message, FieldElement element) {
        var field = FieldDescriptorProto.newBuilder()
                .setName(element.getName())
                .setNumber(element.getTag())
                .setLabel(label(element.getLabel()));
        if (element.getJsonName() != null) {
            field.setJsonName(element.getJsonName());
        }
        option(element.getOptions(), "packed")
                .ifPresent(packed -> field.setOptions(FieldOptions.newBuilder().setPacked(packed.equals("true"))));
        String type = element.getType();
        if (type.startsWith("map<")) {
            DescriptorProto entry = entry(element.getName(), type);
            message.addNestedType(entry);
            return field.setLabel(Label.LABEL_REPEATED)
                    .setTypeName(entry.getName())
                    .build();
        }
        return setType(field, type).build();
    }

    private static Label label(Field.@Nullable Label label) {
        return switch (label) {
            case REPEATED -> Label.LABEL_REPEATED;
            case REQUIRED -> Label.LABEL_REQUIRED;
            case OPTIONAL, ONE_OF -> Label.LABEL_OPTIONAL;
            case null -> Label.LABEL_OPTIONAL;
        };
    }

    private static FieldDescriptorProto.Builder setType(FieldDescriptorProto.Builder field, String type) {
        FieldDescriptorProto.Type scalar = SCALARS.get(type);
        return scalar == null ? field.setTypeName(type) : field.setType(scalar);
    }

    /** @param type such as {@code map<string, Pet>} */
    private static DescriptorProto entry(String field, String type) {
        int comma = type.indexOf(',');
        String key = type.substring("map<".length(), comma).strip();
        String value = type.substring(comma + 1, type.length() - 1).strip();
        var name = new StringBuilder();
        for (String word : field.split("_")) {
            name.append(word.isEmpty() ? "" : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return DescriptorProto.newBuilder()
                .setName(name + "Entry")
                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                .addField(setType(part("key", 1), key))
                .addField(setType(part("value", 2), value))
                .build();
    }

    private static FieldDescriptorProto.Builder part(String name, int number) {
        return FieldDescriptorProto.newBuilder().setName(name).setNumber(number).setLabel(Label.LABEL_OPTIONAL);
    }

    private static EnumDescriptorProto enumeration(EnumElement element) {
        var described = EnumDescriptorProto.newBuilder().setName(element.getName());
        option(element.getOptions(), "allow_alias")
                .ifPresent(
                        alias -> described.setOptions(EnumOptions.newBuilder().setAllowAlias(alias.equals("true"))));
        element.getConstants()
                .forEach(constant -> described.addValue(EnumValueDescriptorProto.newBuilder()
                        .setName(constant.getName())
                        .setNumber(constant.getTag())));
        return described.build();
    }

    private static ServiceDescriptorProto service(ServiceElement element) {
        var service = ServiceDescriptorProto.newBuilder().setName(element.getName());
        for (RpcElement method : element.getRpcs()) {
            service.addMethod(MethodDescriptorProto.newBuilder()
                    .setName(method.getName())
                    .setInputType(method.getRequestType())
                    .setOutputType(method.getResponseType())
                    .setClientStreaming(method.getRequestStreaming())
                    .setServerStreaming(method.getResponseStreaming()));
        }
        return service.build();
    }

    /** The value of a builtin option, if set. */
    private static Optional<String> option(List<OptionElement> options, String name) {
        return options.stream()
                .filter(option -> option.getName().equals(name) && !option.isParenthesized())
                .findFirst()
                .map(option -> String.valueOf(option.getValue()));
    }
}
