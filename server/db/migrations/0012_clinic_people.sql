CREATE TABLE "clinic_people" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clinic_people_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"clinic_id" integer NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"invitation_hash" text,
	"invitation_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "clinic_people_invitationHash_unique" UNIQUE("invitation_hash"),
	CONSTRAINT "clinic_people_email_form" CHECK ("clinic_people"."email" = lower(trim("clinic_people"."email")))
);
--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "invitation_hash" text;--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "invitation_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "holidays" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "day_begins" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "escalation_minutes" smallint DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "notify" text DEFAULT 'straight away' NOT NULL;--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "saved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "clinics" ADD COLUMN "saved_by" integer;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "clinic_person_id" integer;--> statement-breakpoint
ALTER TABLE "clinic_people" ADD CONSTRAINT "clinic_people_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "clinic_people_email" ON "clinic_people" USING btree ("email") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "clinic_people_clinic" ON "clinic_people" USING btree ("clinic_id");--> statement-breakpoint
ALTER TABLE "clinics" ADD CONSTRAINT "clinics_saved_by_users_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_clinic_person_id_clinic_people_id_fk" FOREIGN KEY ("clinic_person_id") REFERENCES "public"."clinic_people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinics" ADD CONSTRAINT "clinics_invitationHash_unique" UNIQUE("invitation_hash");--> statement-breakpoint
ALTER TABLE "clinics" ADD CONSTRAINT "clinics_day_begins" CHECK ("clinics"."day_begins" between 0 and 12);--> statement-breakpoint
ALTER TABLE "clinics" ADD CONSTRAINT "clinics_escalation" CHECK ("clinics"."escalation_minutes" between 1 and 60);--> statement-breakpoint
ALTER TABLE "clinics" ADD CONSTRAINT "clinics_notify" CHECK ("clinics"."notify" in ('straight away', 'in the morning'));--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_clinic_person" CHECK ("sessions"."clinic_person_id" is null or "sessions"."clinic_id" is not null);