CREATE TABLE "page_files" (
	"name" text PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"brotli" "bytea",
	"used_at" timestamp (3) with time zone NOT NULL
);
