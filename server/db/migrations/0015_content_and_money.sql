CREATE TABLE "content_drafts" (
	"kind" text NOT NULL,
	"item" text NOT NULL,
	"user_id" integer NOT NULL,
	"words" jsonb NOT NULL,
	"based_on" integer NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL,
	"reviewed_by" integer,
	"reviewed_at" timestamp (3) with time zone,
	CONSTRAINT "content_drafts_kind_item_user_id_pk" PRIMARY KEY("kind","item","user_id"),
	CONSTRAINT "content_drafts_kind" CHECK ("content_drafts"."kind" in ('question', 'partner', 'testimonial', 'announcement', 'reply')),
	CONSTRAINT "content_drafts_reviewed" CHECK (("content_drafts"."reviewed_by" is null) = ("content_drafts"."reviewed_at" is null))
);
--> statement-breakpoint
CREATE TABLE "content_versions" (
	"kind" text NOT NULL,
	"item" text NOT NULL,
	"number" integer NOT NULL,
	"words" jsonb,
	"what" text DEFAULT '' NOT NULL,
	"by_user_id" integer,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"reviewed_by" integer,
	"reviewed_at" timestamp (3) with time zone,
	CONSTRAINT "content_versions_kind_item_number_pk" PRIMARY KEY("kind","item","number"),
	CONSTRAINT "content_versions_kind" CHECK ("content_versions"."kind" in ('question', 'partner', 'testimonial', 'announcement', 'reply')),
	CONSTRAINT "content_versions_number" CHECK ("content_versions"."number" >= 0),
	CONSTRAINT "content_versions_reviewed" CHECK (("content_versions"."reviewed_by" is null) = ("content_versions"."reviewed_at" is null))
);
--> statement-breakpoint
CREATE TABLE "library_files" (
	"name" text PRIMARY KEY NOT NULL,
	"stored_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "paid_by_hand_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "paid_by_hand_by" integer;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "paid_by_hand_how" text;--> statement-breakpoint
ALTER TABLE "resources" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "resources" ADD COLUMN "reviewed_by" integer;--> statement-breakpoint
ALTER TABLE "resources" ADD COLUMN "reviewed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "content_drafts" ADD CONSTRAINT "content_drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_drafts" ADD CONSTRAINT "content_drafts_reviewed_by_users_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_versions" ADD CONSTRAINT "content_versions_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_versions" ADD CONSTRAINT "content_versions_reviewed_by_users_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_drafts_author" ON "content_drafts" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_paid_by_hand_by_users_id_fk" FOREIGN KEY ("paid_by_hand_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resources" ADD CONSTRAINT "resources_reviewed_by_users_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_consultation" ON "ledger" USING btree ("consultation_id");--> statement-breakpoint
CREATE INDEX "ledger_amount" ON "ledger" USING btree (abs("amount"),"id");--> statement-breakpoint
CREATE INDEX "ledger_disputes" ON "ledger" USING btree ("id") WHERE kind in ('dispute', 'dispute_won');--> statement-breakpoint
CREATE INDEX "purchases_email_begins" ON "purchases" USING btree ("email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "purchases_coupon" ON "purchases" USING btree ("coupon_id") WHERE coupon_id is not null;--> statement-breakpoint
CREATE INDEX "purchases_unfinished" ON "purchases" USING btree ("id") WHERE state in ('paying', 'paid');--> statement-breakpoint
CREATE INDEX "refunds_not_made" ON "refunds" USING btree ("id") WHERE done_at is null and due_at is null and paid_by_hand_at is null;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_paid_by_hand" CHECK (num_nulls("refunds"."paid_by_hand_at", "refunds"."paid_by_hand_by", "refunds"."paid_by_hand_how") in (0, 3)
        and ("refunds"."paid_by_hand_at" is null or ("refunds"."done_at" is null and "refunds"."due_at" is null)));--> statement-breakpoint
ALTER TABLE "resources" ADD CONSTRAINT "resources_reviewed" CHECK (("resources"."reviewed_by" is null) = ("resources"."reviewed_at" is null));--> statement-breakpoint
CREATE TRIGGER "content_versions_tell_content" AFTER INSERT OR UPDATE OR DELETE ON "content_versions" FOR EACH STATEMENT EXECUTE FUNCTION "tell_content"();--> statement-breakpoint
INSERT INTO "library_files" ("name")
SELECT DISTINCT substr("address", 16) FROM "resources", unnest(ARRAY["file", "featured_image", "featured_image2"]) AS "address"
WHERE "address" ~ '^/media/library/[0-9a-f]{32}[.]' ON CONFLICT DO NOTHING;
