package dev.parley.workflows.proto;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.WrappersProto;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.internal.parser.ProtoFileElement;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parser of .proto files in {@code proto3} or {@code proto2} syntax. Imports are limited to {@code google/protobuf};
 * nothing is fetched. Extensions and options that do not affect the encoding are ignored.
 */
public final class ProtoText {
    private static final Map<String, FileDescriptor> KNOWN = Stream.of(
                    AnyProto.getDescriptor(),
                    ApiProto.getDescriptor(),
                    DescriptorProtos.getDescriptor(),
                    DurationProto.getDescriptor(),
                    EmptyProto.getDescriptor(),
                    FieldMaskProto.getDescriptor(),
                    SourceContextProto.getDescriptor(),
                    StructProto.getDescriptor(),
                    TimestampProto.getDescriptor(),
                    TypeProto.getDescriptor(),
                    WrappersProto.getDescriptor())
            .collect(Collectors.toUnmodifiableMap(FileDescriptor::getName, Function.identity()));

    private ProtoText() {}

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException if the text is invalid or needs an unknown import, with the location
     */
    public static FileDescriptor read(String text) {
        try {
            return descriptor(ProtoParser.Companion.parse(Location.get("the .proto"), text));
        } catch (IllegalStateException e) { // thrown by the parser
            throw new IllegalArgumentException(toOneLine(e), e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("its messages are nested too deeply", e);
        }
    }

    private static FileDescriptor descriptor(ProtoFileElement file) {
        FileDescriptorProto described = new ProtoDescription(file.getSyntax()).file(file);
        var dependencies = new ArrayList<FileDescriptor>();
        var unknown = new ArrayList<String>();
        for (String name : imports(file)) {
            FileDescriptor dependency = KNOWN.get(name);
            if (dependency == null) {
                unknown.add(name);
            } else {
                described = described.toBuilder().addDependency(name).build();
                dependencies.add(dependency);
            }
        }
        try {
            return FileDescriptor.buildFrom(described, dependencies.toArray(FileDescriptor[]::new));
        } catch (DescriptorValidationException e) {
            throw new IllegalArgumentException(toOneLine(e) + describeUnfetched(unknown), e);
        }
    }

    private static List<String> imports(ProtoFileElement file) {
        return Stream.of(file.getImports(), file.getPublicImports(), file.getWeakImports())
                .flatMap(Collection::stream)
                .distinct()
                .toList();
    }

    /** Message types supported in {@code Any}. */
    static Collection<Descriptor> knownTypes() {
        return KNOWN.values().stream()
                .flatMap(file -> file.getMessageTypes().stream())
                .toList();
    }

    private static String describeUnfetched(List<String> unknown) {
        return unknown.isEmpty()
                ? ""
                : "; imports other than google/protobuf are not fetched: copy the needed parts of "
                        + String.join(", ", unknown) + " into the file";
    }

    private static String toOneLine(Exception e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }
}
