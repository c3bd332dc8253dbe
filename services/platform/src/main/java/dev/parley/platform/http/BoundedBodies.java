package dev.parley.platform.http;

import dev.parley.domain.json.JsonBounds;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.io.buffer.ByteBuffer;
import io.micronaut.core.type.Argument;
import io.micronaut.http.netty.body.NettyJsonHandler;
import io.micronaut.json.JsonFeatures;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.JsonStreamConfig;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Checks the {@link JsonBounds} of each request body before Micronaut makes objects of it. */
@Singleton
final class BoundedBodies implements BeanCreatedEventListener<NettyJsonHandler<?>> {
    private final BeanProvider<JsonMapper> mapper;

    BoundedBodies(BeanProvider<JsonMapper> mapper) {
        this.mapper = mapper;
    }

    @Override
    public NettyJsonHandler<?> onCreated(BeanCreatedEvent<NettyJsonHandler<?>> event) {
        return new NettyJsonHandler<>(new Bounded(mapper.get()));
    }

    /** A mapper that checks what it reads. */
    private record Bounded(JsonMapper mapper) implements JsonMapper {
        @Override
        public <T> T readValue(InputStream in, Argument<T> type) throws IOException {
            return readValue(in.readAllBytes(), type);
        }

        @Override
        public <T> T readValue(byte[] bytes, Argument<T> type) throws IOException {
            JsonBounds.REQUEST.check(new ByteArrayInputStream(bytes));
            return mapper.readValue(bytes, type);
        }

        @Override
        public <T> T readValue(ByteBuffer<?> buffer, Argument<T> type) throws IOException {
            return readValue(buffer.toByteArray(), type);
        }

        @Override
        public JsonMapper createSpecific(Argument<?> type) {
            return new Bounded(mapper.createSpecific(type));
        }

        @Override
        public JsonMapper cloneWithFeatures(JsonFeatures features) {
            return new Bounded(mapper.cloneWithFeatures(features));
        }

        @Override
        public JsonMapper cloneWithViewClass(Class<?> view) {
            return new Bounded(mapper.cloneWithViewClass(view));
        }

        @Override
        public <T> T readValueFromTree(JsonNode tree, Argument<T> type) throws IOException {
            return mapper.readValueFromTree(tree, type);
        }

        @Override
        public JsonNode writeValueToTree(@Nullable Object value) throws IOException {
            return mapper.writeValueToTree(value);
        }

        @Override
        public <T> JsonNode writeValueToTree(Argument<T> type, @Nullable T value) throws IOException {
            return mapper.writeValueToTree(type, value);
        }

        @Override
        public void writeValue(OutputStream out, @Nullable Object value) throws IOException {
            mapper.writeValue(out, value);
        }

        @Override
        public <T> void writeValue(OutputStream out, Argument<T> type, @Nullable T value) throws IOException {
            mapper.writeValue(out, type, value);
        }

        @Override
        public byte[] writeValueAsBytes(@Nullable Object value) throws IOException {
            return mapper.writeValueAsBytes(value);
        }

        @Override
        public <T> byte[] writeValueAsBytes(Argument<T> type, @Nullable T value) throws IOException {
            return mapper.writeValueAsBytes(type, value);
        }

        @Override
        public JsonStreamConfig getStreamConfig() {
            return mapper.getStreamConfig();
        }
    }
}
