package dev.parley.workflows.work;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.proto.ProtoJson;
import dev.parley.workflows.proto.ProtoText;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import okhttp3.HttpUrl;

/** {@code call: grpc}: a unary method of a service described by a .proto file. */
record GrpcCall(HttpExchange http, GrpcExchange grpc) implements CallExecutor {
    /** Maximum size of a .proto file in characters; its descriptors are many times larger. */
    static final int MAX_PROTO_LENGTH = 1 << 18;

    @Override
    public String function() {
        return "grpc";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        Json service = with.get("service");
        FileDescriptor file = file(request, with.get("proto").get("endpoint"), cancellation);
        MethodDescriptor method = method(
                service(file, service.get("name").display()), with.get("method").display());
        HttpUrl url = url(request, service, method);
        byte[] message = message(method, with.get("arguments"));
        Json authentication = service.get("authentication");
        Optional<String> authorization =
                http.authorization(request, url, authentication.isNull() ? with.get("authentication") : authentication);
        byte[] answer = grpc.call(request, url, message, authorization, cancellation);
        try {
            return Optional.of(ProtoJson.read(method.getOutputType(), answer, GrpcExchange.MAX_BYTES));
        } catch (IllegalArgumentException e) {
            throw CallException.communication(
                    "the response is not a message of the type "
                            + method.getOutputType().getFullName() + " that can be read: " + e.getMessage(),
                    e);
        }
    }

    private FileDescriptor file(WorkRequest request, Json endpoint, Cancellation cancellation)
            throws CallException, InterruptedException {
        HttpUrl url = HttpExchange.endpointUrl(endpoint);
        String text = http.text(request, endpoint, cancellation);
        if (text.length() > MAX_PROTO_LENGTH) {
            throw CallException.configuration(
                    "the .proto at %s has more than %,d characters".formatted(url, MAX_PROTO_LENGTH));
        }
        try {
            return ProtoText.read(text);
        } catch (IllegalArgumentException e) {
            throw CallException.configuration("the .proto at " + url + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** @param name with or without the package */
    private static ServiceDescriptor service(FileDescriptor file, String name) throws CallException {
        List<ServiceDescriptor> services = file.getServices();
        return services.stream()
                .filter(service ->
                        service.getFullName().equals(name) || service.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> CallException.missing(
                        "the .proto has no service",
                        name,
                        services.stream().map(ServiceDescriptor::getFullName).toList()));
    }

    private static MethodDescriptor method(ServiceDescriptor service, String name) throws CallException {
        MethodDescriptor method = service.findMethodByName(name);
        if (method == null) {
            throw CallException.missing(
                    "the service " + service.getFullName() + " has no method",
                    name,
                    service.getMethods().stream().map(MethodDescriptor::getName).toList());
        }
        if (method.isClientStreaming() || method.isServerStreaming()) {
            throw CallException.configuration(
                    "the method " + method.getFullName() + " streams; methods with one message each way are supported");
        }
        return method;
    }

    private HttpUrl url(WorkRequest request, Json service, MethodDescriptor method) throws CallException {
        Json port = service.get("port");
        try {
            return grpc.url(
                    request,
                    service.get("host").display(),
                    port instanceof Json.Num(BigDecimal number)
                            ? number.intValueExact()
                            : port.isNull() ? 443 : Integer.parseInt(port.display()),
                    method.getService().getFullName(),
                    method.getName());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw CallException.configuration("a service has the name of a host, and a port from 1 to 65535, not '"
                    + service.get("host").display() + "' and '" + port.display() + "'");
        }
    }

    private static byte[] message(MethodDescriptor method, Json arguments) throws CallException {
        try {
            return ProtoJson.bytes(method.getInputType(), arguments.isNull() ? Values.EMPTY_OBJECT : arguments);
        } catch (IllegalArgumentException e) {
            throw CallException.configuration("the arguments are not a message of the type "
                    + method.getInputType().getFullName() + ": " + e.getMessage());
        }
    }
}
